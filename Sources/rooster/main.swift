// The command line.

import CivilTime

print(Weekday.allCases.count)
