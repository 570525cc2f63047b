"""Which nodes of a graph reach each other."""


def find_circles(graph):
    """Strongly connected components of more than one node, by Tarjan's algorithm."""
    numbers, lowest, stack, circles = {}, {}, [], []

    def visit(node):
        numbers[node] = lowest[node] = len(numbers)
        stack.append(node)
        for following in sorted(graph.get(node, ())):
            if following not in numbers:
                visit(following)
            if following in stack:
                lowest[node] = min(lowest[node], lowest[following])
        if lowest[node] == numbers[node]:
            at = stack.index(node)
            if len(stack) > at + 1:
                circles.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in numbers:
            visit(node)
    return sorted(circles)
