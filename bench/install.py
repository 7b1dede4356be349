"""Install the checkout and the peers into the environment that runs this; peers may fail."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
WHEELS = ROOT / "build/bench"
# A build folder of its own: the one of the editable install stays as it is.
BUILD = ["--no-deps", "--config-settings=build-dir=build/bench-{wheel_tag}", "--wheel-dir", str(WHEELS)]


def peers():
    lines = (ROOT / "bench/requirements.txt").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def install_peer(name):
    done = subprocess.run([*PIP, "install", name], capture_output=True, text=True, timeout=600, check=False)  # noqa: S603  (our own list)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"bench: {name} cannot be installed here and is left out: {reason}")


if __name__ == "__main__":
    for peer in peers():
        install_peer(peer)
    subprocess.run([*PIP, "wheel", *BUILD, str(ROOT)], check=True)  # noqa: S603  (the checkout itself)
    newest = max(WHEELS.glob("concordant-*.whl"), key=lambda path: path.stat().st_mtime)
    subprocess.run([*PIP, "install", "--force-reinstall", "--no-deps", str(newest)], check=True)  # noqa: S603
