"""The source code that a job can reach, definition by definition, and a hash of it.

Snakemake does not see a change inside an installed package; as a job's parameter the hash makes it re-run the job. The
hash covers the functions, classes and constants of marginfs that the job's entry points use, directly or not, and
nothing else: no comment, docstring or annotation, no check of input, and no table that only maps names to modules.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.name

GUARDS = ("guarded", "persistent")
"""Decorators that change nothing but what happens where a call would fail."""

Definition = tuple[str, str]
"""A module and the name of one of its top-level definitions; the name is empty for what runs when it is loaded."""


def source_hash(entries: Iterable[str]) -> str:
    """Hash the source that `entries` can reach.

    Parameters
    ----------
    entries : iterable of str
        Entry points as "module:name", or "module" for all of a module. Of a module outside marginfs, a user's own,
        the file counts as a whole, and nothing that it imports.

    Returns
    -------
    str
        The first 16 digits of a SHA-256.
    """
    return _hash(frozenset(entries))


@functools.cache
def _hash(entries: frozenset[str]) -> str:
    digest = hashlib.sha256()
    outside = {entry.partition(":")[0] for entry in entries if entry.partition(".")[0].partition(":")[0] != ROOT}
    for module in sorted(outside):
        digest.update(_stripped(Path(str(getattr(importlib.util.find_spec(module), "origin", "")))).encode())
    for module, name in sorted(reached(e for e in entries if e.partition(":")[0] not in outside)):
        text = _text((module, name))
        if text:
            digest.update(f"{module}:{name}\0{text}\0".encode())
    return digest.hexdigest()[:16]


def reached(entries: Iterable[str]) -> set[Definition]:
    """Follow names from `entries` through the package.

    Parameters
    ----------
    entries : iterable of str
        Entry points as for `source_hash`.

    Returns
    -------
    set of (str, str)
        Module and name of every definition reached.
    """
    pending: list[Definition] = []
    for entry in entries:
        module, _, name = entry.partition(":")
        if _path(module) is None or (name and name not in _module(module).definitions):
            raise KeyError(f"{entry}: {ROOT} has no such module or definition")
        pending += [(module, name)] if name else _all_of(module)
    found: set[Definition] = set()
    while pending:
        definition = pending.pop()
        if definition not in found:
            found.add(definition)
            pending += _uses(definition)
            pending.append((definition[0], ""))
    return found


def defines(entry: str) -> bool:
    """Tell whether an entry point exists.

    Parameters
    ----------
    entry : str
        "module:name".

    Returns
    -------
    bool
        True where the module defines the name.
    """
    module, _, name = entry.partition(":")
    return _path(module) is not None and name in _module(module).definitions


def kernels() -> list[str]:
    """List the compiled functions of the package.

    Returns
    -------
    list of str
        Entry points, as "module:name", of all top-level functions with the decorator njit.
    """
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if "njit" not in path.read_text(encoding="utf-8"):
            continue
        relative = path.relative_to(PACKAGE.parent).with_suffix("")
        module = ".".join(part for part in relative.parts if part != "__init__")
        for name, node in _module(module).definitions.items():
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            if any("njit" in ast.dump(decorator) for decorator in decorators):
                found.append(f"{module}:{name}")
    return found


@dataclass(frozen=True)
class _Module:
    """A parsed module: its definitions, what its imports bind, and the statements that run when it is loaded."""

    definitions: dict[str, ast.stmt]
    imports: dict[str, str]
    statements: list[ast.stmt]

    def nodes(self, name: str) -> list[ast.stmt]:
        if not name:
            return self.statements
        return [self.definitions[name]] if name in self.definitions else []


class _Stripped(ast.NodeTransformer):
    """Removes docstrings, annotations and decorators that leave valid calls as they are."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            node.body = _without_docstring(node.body)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            node.decorator_list = [one for one in node.decorator_list if getattr(one, "id", "") not in GUARDS]
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(...)
        return node


def _tree(path: Path) -> ast.Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    _Stripped().visit(tree)
    return tree


def _stripped(path: Path) -> str:
    return ast.unparse(_tree(path))


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """`body` without strings that stand as statements of their own."""
    kept = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return kept or [ast.Pass()]


def _path(module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != ROOT:
        return None
    base = PACKAGE.joinpath(*parts[1:])
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


@functools.cache
def _module(name: str) -> _Module:
    path = _path(name)
    module = _Module({}, {}, [])
    for node in _tree(path).body if path else []:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module.imports.update(_bindings(node))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            module.definitions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            kept = ast.Pass() if _is_table_of_names(node) else node
            module.definitions.update(dict.fromkeys(_targets(node), kept))
        elif not _is_type_checking(node) and not isinstance(node, ast.Pass):
            module.statements.append(node)
    return module


def _all_of(module: str) -> list[Definition]:
    return [(module, name) for name in ("", *_module(module).definitions)]


@functools.cache
def _text(definition: Definition) -> str:
    """What counts of one definition; many hashes share it."""
    module, name = definition
    return "\n".join(ast.unparse(node) for node in _module(module).nodes(name))


@functools.cache
def _uses(definition: Definition) -> list[Definition]:
    """The definitions that one definition names."""
    module, name = definition
    found: list[Definition] = []
    for statement in _module(module).nodes(name):
        inside = [node for node in ast.walk(statement) if isinstance(node, ast.Import | ast.ImportFrom)]
        local = {key: target for node in inside for key, target in _bindings(node).items()}
        for chain in _chains(statement):
            found += _resolve(module, local, chain)
    return found


def _chains(node: ast.AST) -> Iterator[list[str]]:
    """Every name that is read, with the attributes asked of it: ["qp", "minimise"]."""
    chain: list[str] = []
    inner = node
    while isinstance(inner, ast.Attribute):
        chain.insert(0, inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        if isinstance(inner.ctx, ast.Load):
            yield [inner.id, *chain]
    elif inner is not node:
        yield from _chains(inner)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _chains(child)


def _resolve(module: str, local: dict[str, str], chain: list[str]) -> list[Definition]:
    """What `chain` means in `module`: one definition, all of a module that is passed around, or nothing of ours."""
    first, *rest = chain
    known = _module(module)
    if first not in local and first in known.definitions:
        return [(module, first)]
    target = local.get(first, known.imports.get(first))
    if target is None:
        return []
    owner, _, attribute = target.partition(":")
    rest = [attribute, *rest] if attribute else rest
    while rest and _path(f"{owner}.{rest[0]}"):
        owner, rest = f"{owner}.{rest[0]}", rest[1:]
    if not rest:
        return _all_of(owner)
    if rest[0] in _module(owner).definitions:
        return [(owner, rest[0])]
    return _resolve(owner, {}, rest) if rest[0] in _module(owner).imports else []


def _bindings(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Local name -> "module" or "module:name", for imports from this package."""
    if isinstance(node, ast.Import):
        pairs = {alias.asname or alias.name.split(".")[0]: alias.name if alias.asname else ROOT for alias in node.names}
    else:
        pairs = {alias.asname or alias.name: f"{node.module}:{alias.name}" for alias in node.names}
    return {name: target for name, target in pairs.items() if target.split(":")[0].split(".")[0] == ROOT}


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    """The names that an assignment binds."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]


def _is_table_of_names(node: ast.Assign | ast.AnnAssign) -> bool:
    """Whether the value is a dictionary that leads from names to modules of this package."""
    if not isinstance(node.value, ast.Dict) or not node.value.values:
        return False
    values = [entry.value for entry in node.value.values if isinstance(entry, ast.Constant)]
    return len(values) == len(node.value.values) and all(str(value).startswith(f"{ROOT}.") for value in values)


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
