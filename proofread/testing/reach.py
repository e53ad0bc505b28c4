"""What of a page depends on one cell, and what that needs to run."""

import ast


def touched(tree):
    """The names that a cell binds, or whose objects it may change: those with a method called for itself."""
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    calls = [n.value for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    receivers = [call.func for call in calls if isinstance(call.func, ast.Attribute)]
    return names | {n.id for receiver in receivers for n in ast.walk(receiver) if isinstance(n, ast.Name)}


def read(tree):
    """The names that a cell uses, those of its modules, and the labels of equations in it."""
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return names | {text for text in texts if text.startswith("eq-")}


def imports(tree):
    return {alias.asname or alias.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))
            for alias in n.names}


def affected(sources, number, wrong):
    """The cells from an edited one on; those are empty that it does not reach and that no other needs."""
    cells = [wrong, *sources[number:]]
    trees = [ast.parse(cell) for cell in cells]
    modules = set().union(*map(imports, [ast.parse(source) for source in sources]))
    labels = [{text for text in read(tree) if text.startswith("eq-")} for tree in trees]
    chosen, reached = {0, len(cells) - 1}, set()
    for place, tree in enumerate(trees):
        if place in chosen or read(tree) & reached:
            chosen.add(place)
            reached |= (touched(tree) | labels[place]) - modules
    needed = set()
    for place in reversed(range(len(cells))):
        if place in chosen or (touched(trees[place]) | imports(trees[place])) & needed:
            chosen.add(place)
            needed |= read(trees[place])
    return [cell if place in chosen else "" for place, cell in enumerate(cells)]
