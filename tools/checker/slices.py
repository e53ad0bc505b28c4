"""The statements of a chapter that some of its objects rest on."""

from __future__ import annotations

import ast
import dis

CLAIMS = {"Derivation", "Equivalence"}
KINDS = {"Exercise", "Definition", *CLAIMS}
ANSWERS = {"check", "solution"}  # methods that leave an exercise as it is


def rests_on(code: str, kinds: set[str] = KINDS) -> str:
    """Those statements on which the objects of some kinds rest, themselves included.

    Examples
    --------
    >>> print(rests_on("x = 1\\ny = 2\\nx.grow(y)\\nplot(x)\\na = Exercise('ex-a', answer=x)\\nx = 3"))
    x = 1
    y = 2
    x.grow(y)
    a = Exercise('ex-a', answer=x)
    """
    statements, kept = ast.parse(code).body, []
    made = set().union(*(names(one)[1] for one in statements if calls(one) & kinds))
    wanted = set()
    for statement in reversed(statements):
        read, bound = names(statement)
        if calls(statement) & kinds or bound & wanted or _changed(statement) & (wanted | made):
            kept.append(statement)
            if not isinstance(statement, (ast.If, ast.For, ast.While, ast.Try, ast.AugAssign)):
                wanted -= bound
            wanted |= read
    return "\n".join(map(ast.unparse, reversed(kept)))


def names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """The global names that a statement reads, also in functions of its own, and those that it binds."""
    read, bound = set(), set()
    top = compile(ast.Module([statement], []), "a chapter", "exec")
    todo = [top]
    while todo:
        code = todo.pop()
        todo += [part for part in code.co_consts if hasattr(part, "co_code")]
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
                read.add(instruction.argval)
            elif instruction.opname in ("STORE_NAME", "STORE_GLOBAL"):
                bound.add(instruction.argval)
    return read, bound


def calls(statement: ast.AST) -> set[str]:
    return {node.func.id for node in ast.walk(statement)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def _changed(statement: ast.stmt) -> set[str]:
    """The name whose object a statement may change, by a method or an index."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        target = statement.value.func
        if isinstance(target, ast.Attribute) and target.attr in ANSWERS:
            return set()
    else:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return {target.id} if isinstance(target, ast.Name) else set()
