"""The debounced moves of a contact, computed from the whole history of its line.

Reads a line for each train: the first level (0 or 1), then edges as TIME:LEVEL in order of time. Prints each train's
moves in the same form. A move is the first moment outside the deaf time at which the level differs from the last move.
"""
import bisect
import sys

DEAF = 50


def moves(first, edges):
    times = [time for time, _ in edges]
    state, listens_from = first, float("-inf")
    while True:
        # The level at the end of the deaf time.
        place = bisect.bisect_left(times, listens_from)
        level = edges[place - 1][1] if place > 0 else first
        if level != state:
            moment = listens_from
        else:
            moment = next((time for time, level in edges[place:] if level != state), None)
        if moment is None:
            return
        state, listens_from = 1 - state, moment + DEAF
        yield moment, state


for line in sys.stdin:
    first, *words = line.split()
    edges = [tuple(map(int, word.split(":"))) for word in words]
    print("=", *(f"{time}:{level}" for time, level in moves(int(first), edges)))
