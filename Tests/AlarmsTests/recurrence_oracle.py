"""The dates of recurrence rules by dateutil.

Reads lines `START<TAB>COUNT<TAB>LAST<TAB>RULE` (dates as YYYYMMDD) and prints for each the rule's first dates, at most
COUNT and none after LAST. Prints "failed" if dateutil fails (it searches a 53rd weekday beyond the end of its tables).
"""
import datetime
import sys

from dateutil import rrule

for line in sys.stdin:
    start, count, last, rule = line.rstrip("\n").split("\t")
    first = datetime.datetime.strptime(start, "%Y%m%d")
    end = datetime.datetime.strptime(last, "%Y%m%d")
    dates = []
    try:
        for date in rrule.rrulestr(rule, dtstart=first):
            if date > end or len(dates) == int(count):
                break
            dates.append(date.strftime("%Y%m%d"))
    except IndexError:
        print("failed")
    else:
        print("dates", *dates)
