"""The offsets and local times of every zone of the system's tzdata by Python's zoneinfo.

Arguments: seed, random instants per zone, changes of the clocks per zone (0: all).
Prints, zone by zone:
  zone NAME
  i INSTANT OFFSET            an instant and the offset in force
  l LOCAL FIRST SECOND        a local time, and its instants with the offset before and after a change (fold 0 and 1)
"""
import datetime
import random
import sys
import zoneinfo

FIRST = 0  # 1970-01-01
LAST = 2145916800  # 2038-01-01
FAR = 10413792000  # 2300-01-01, when only the footer's rule applies
STEP = 14 * 86400
EPOCH = datetime.datetime(1970, 1, 1)
UTC = datetime.timezone.utc

seed, randoms, changes_max = (int(argument) for argument in sys.argv[1:])
zoneinfo.reset_tzpath(["/usr/share/zoneinfo"])


def offset_at(zone, instant):
    local = (EPOCH + datetime.timedelta(seconds=instant)).replace(tzinfo=UTC).astimezone(zone)
    return int(local.utcoffset().total_seconds())


def change_between(zone, low, high):
    before = offset_at(zone, low)
    while high - low > 1:
        middle = (low + high) // 2
        if offset_at(zone, middle) == before:
            low = middle
        else:
            high = middle
    return high


def changes(zone, chance):
    if changes_max == 0:
        windows = [(FIRST, LAST)]
    else:
        start = chance.randrange(FIRST, LAST - 3 * 366 * 86400)
        windows = [(start, start + 3 * 366 * 86400)]
    found = []
    for start, end in windows:
        offset = offset_at(zone, start)
        for instant in range(start + STEP, end, STEP):
            following = offset_at(zone, instant)
            if following != offset:
                found.append(change_between(zone, instant - STEP, instant))
            offset = following
    return found if changes_max == 0 else found[:changes_max]


def show(zone, instant):
    offset = offset_at(zone, instant)
    print("i", instant, offset)
    show_local(zone, instant + offset)


def show_local(zone, local):
    naive = EPOCH + datetime.timedelta(seconds=local)
    means = [
        local - int(naive.replace(tzinfo=zone, fold=fold).utcoffset().total_seconds())
        for fold in (0, 1)
    ]
    print("l", local, means[0], means[1])


for name in sorted(zoneinfo.available_timezones()):
    if name == "localtime":
        continue
    zone = zoneinfo.ZoneInfo(name)
    chance = random.Random(f"{seed} {name}")
    print("zone", name)
    for _ in range(randoms):
        show(zone, chance.randrange(FIRST, LAST))
    for _ in range(randoms // 4):
        show(zone, chance.randrange(LAST, FAR))
    for change in changes(zone, chance):
        before, after = offset_at(zone, change - 1), offset_at(zone, change)
        for distance in (-7200, -1800, -1, 0, 1, 1800, 7200):
            show(zone, change + distance)
        for edge in (change + before, change + after):
            for distance in (-1, 0, 1, abs(after - before) // 2):
                show_local(zone, edge + distance)
