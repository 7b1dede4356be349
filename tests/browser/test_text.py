"""Text in charts at every width: large enough to read, inside its drawing, and not on other text."""

import random

import pytest

import concordant as cc

# Every page is opened at the least width of both layouts; the one with the hardest labels at others, too.
HARD, OTHERS = (360, 700), (390, 560, 800, 1000, 1400, 1600)
# Of each text that is smaller than 11 pixels, that leaves its drawing, or that covers another: what it says.
FAULTS = """(() => {
    const faults = [];
    for (const drawing of document.querySelectorAll(".drawing")) {
        if (!drawing.checkVisibility()) continue;
        const frame = drawing.getBoundingClientRect();
        const texts = [...drawing.querySelectorAll("text")].filter((each) => each.checkVisibility());
        const boxes = texts.map((each) => each.getBoundingClientRect());
        texts.forEach((text, place) => {
            const [own, { a, b }] = [boxes[place], text.getScreenCTM()];
            const size = Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize);
            if (size < 11) faults.push(`${text.textContent} has ${size} pixels`);
            if (own.left < frame.left - 1 || own.right > frame.right + 1
                || own.top < frame.top - 1 || own.bottom > frame.bottom + 1)
                faults.push(`${text.textContent} leaves its drawing`);
            for (let next = place + 1; next < boxes.length; next += 1) {
                const other = boxes[next];
                const wide = Math.min(own.right, other.right) - Math.max(own.left, other.left);
                const tall = Math.min(own.bottom, other.bottom) - Math.max(own.top, other.top);
                if (wide > 2 && tall > 4)
                    faults.push(`${text.textContent} covers ${texts[next].textContent}`);
            }
        });
    }
    return [faults, document.documentElement.scrollWidth];
})()"""
HIDES = "[...document.querySelectorAll('.list')].some((each) => each.scrollHeight > each.clientHeight + 1)"
WIDE_LABELS = [
    "東京都の顧客クラスタ",
    "서울 고객",
    "مجموعة العملاء",
    "👩‍👩‍👧 family 🎉🎉",
    "MMMMWWWW",
    "x" * 99,
]


def moved(labels, others, share, seed=5):
    source = random.Random(seed)
    return [source.choice(others) if source.random() < share else label for label in labels]


def comparison(clusters, size, share, names=None):
    source = random.Random(3)
    reference = [source.choice(clusters) for _ in range(size)]
    return cc.compare(reference, moved(reference, clusters, share), names=names)


def wide_labels(file):
    return comparison(WIDE_LABELS, 500, 0.3, ("真実のラベル", "予測 🎯 with a long name")).to_html(file)


def many_clusters(file):
    return comparison([f"customer number {i:05}" for i in range(300)], 1500, 0.2).to_html(file)


def entities(file):
    found = comparison([f"E{i:06}" for i in range(600)], 1400, 0.1)
    return found.to_html(file, slices=found.slices([WIDE_LABELS[i % len(WIDE_LABELS)] for i in range(1400)]))


def singletons(file):
    return cc.compare([0] * 500, range(500)).to_html(file)


def runs(count, size=200):
    clusters = list(range(8))
    truth = [i % 8 for i in range(size)]
    return {"the truth": truth} | {f"run {i}": moved(truth, clusters, i / 99, seed=i) for i in range(count)}


def ranked(file):
    return cc.matrix(runs(11), reference="the truth").to_html(file)


def sixty_runs(file):
    return cc.matrix(runs(59, size=60), "variation_of_information").to_html(file)


def track(file):
    return cc.track(runs(5)).to_html(file)


def long_track(file):
    return cc.track(runs(19, size=60)).to_html(file)


def judged(file):
    truth, old, new = list(runs(2).values())
    return cc.diff(old, new, reference=truth).to_html(file)


def estimates(file):
    truth = {f"record {i}": i // 4 for i in range(400)}
    sample = {record: cluster for record, cluster in truth.items() if cluster % 3 == 0}
    return cc.estimate(
        sample, {record: i // 5 for i, record in enumerate(truth)}, sampling="clusters"
    ).to_html(file)


def stable(file):
    clusters = WIDE_LABELS[:5]
    truth = [clusters[i % 5] for i in range(200)]
    found = [moved(truth, clusters, 0.2, seed=i) for i in range(6)]
    return cc.stability(found, reference=truth).to_html(file)


def tree(source, size):
    """Merges in any order, with names as people have them."""
    roots, rows = list(range(size)), []
    for i in range(size - 1):
        one, other = (roots.pop(source.randrange(len(roots))) for _ in range(2))
        rows.append([one, other, (i + 1) / size, 2])
        roots.append(size + i)
    sizes = [1] * size
    for row in rows:
        row[3] = sizes[row[0]] + sizes[row[1]]
        sizes.append(row[3])
    return cc.Hierarchy.from_linkage(rows, records=[f"{WIDE_LABELS[i % 5]} {i}" for i in range(size)])


def thresholds(file):
    source = random.Random(8)
    truth = {f"{WIDE_LABELS[i % 5]} {i}": i // 4 for i in range(400)}
    indices = ["f_measure", "precision", "recall", "adjusted_rand", "rand", "variation_of_information"]
    return cc.compare(truth, tree(source, 400), names=("真実のラベル", "x" * 50)).to_html(
        file, indices=indices
    )


def trees(file):
    source = random.Random(9)
    names = ("真実のラベル", "x" * 50)
    return cc.compare(tree(source, 150), tree(source, 150), names=names).to_html(file)


PAGES = [
    thresholds,
    trees,
    wide_labels,
    many_clusters,
    entities,
    singletons,
    ranked,
    sixty_runs,
    track,
    long_track,
    judged,
    estimates,
    stable,
]


@pytest.mark.parametrize("page_of", PAGES, ids=lambda page_of: page_of.__name__)
def test_text_in_charts_can_be_read_at_every_width(browser, folder, page_of):
    with browser.open(page_of(folder / f"{page_of.__name__}.html")) as page:
        assert not page.run(HIDES)  # captures show every list
        page.run("document.querySelectorAll('section:not(:has(.drawing))').forEach((each) => each.remove())")
        assert page.run("document.querySelectorAll('.drawing text').length") > 5
        for width in (*HARD, *(OTHERS if page_of is wide_labels else ())):
            page.resize(width, 900)
            faults, wide = page.run(FAULTS)
            assert faults == [], width
            assert wide <= width
