"""One word, one meaning: no name is defined twice, and modules are named by nouns."""

import ast
from collections import defaultdict

from source_trees import MODULES, PACKAGE, nodes, tree

PARTICIPLES = ["listing", "brought", "straight", "watching", "changed"]


def defined_names(module):
    """The public classes and type aliases that a module defines, and does not import."""
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for each in targets if isinstance(each, ast.Name) and is_type_name(each.id)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def is_type_name(name):
    """Whether a name is written as those of types are: Integers, and not INDICES."""
    return name[0].isupper() and not name.isupper() and "_" not in name


def test_no_two_modules_define_a_class_or_a_type_of_the_same_name():
    owners = defaultdict(list)
    for module in MODULES:
        for name in set(defined_names(module)):
            owners[name].append(str(module.relative_to(PACKAGE)))
    assert {name: modules for name, modules in owners.items() if len(modules) > 1} == {}


def test_modules_are_named_by_nouns():
    assert [module.stem for module in MODULES if module.stem in PARTICIPLES] == []


def test_modules_of_ours_go_by_their_own_names():
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "concordant":
                assert not [each.name for each in node.names if each.asname], module
