"""What a contact does, by the whole history of its line at once.

Reads a line for each train: the level at first (0 or 1), then edges as TIME:LEVEL in the order of their times. Prints, for each,
what acts, in the same form: the first moment at which the line is listened to and is not what the contact did last.
"""
import bisect
import sys

DEAF = 50


def moves(first, edges):
    times = [time for time, _ in edges]
    state, listens_from = first, float("-inf")
    while True:
        # What the line is when it is listened to again.
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
