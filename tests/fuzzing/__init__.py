"""Random and hostile input at the border between Python and the compiled core, against oracles in Python.

``make fuzz`` runs it for some minutes on a core that was built with sanitizers. tests/core/test_fuzzing.py
runs a few rounds on the core that is installed. Each target takes a source of random numbers, tries something
once, and raises if the answer is wrong. Input is refused by an exception of ours, ValueError, TypeError or
MemoryError; whatever else comes up is a find.
"""
