"""Compiled steps of sorting and searching, most of them of `engine.output.ordering`."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import compiled


@compiled
def lay(begins, groups, start, first, order, long, short):
    """Write the rows of all groups into `order`, rows of one instant sorted by lane; return the length of `long`.

    An instant with more than `short` rows is left unsorted and its range of `order` is recorded in `long`: insertion
    sort is quadratic.

    begins: g + 1 first rows of groups of equal start; groups: their order by start.
    """
    count, place, at = 0, 0, 0
    while at < len(groups):
        instant, begin = start[begins[groups[at]]], place
        while at < len(groups) and start[begins[groups[at]]] == instant:
            for row in range(begins[groups[at]], begins[groups[at] + 1]):
                order[place] = row
                place += 1
            at += 1
        if place - begin > short:
            long[count, 0], long[count, 1] = begin, place
            count += 1
            continue
        for i in range(begin + 1, place):
            row, j = order[i], i
            while j > begin and first[order[j - 1]] > first[row]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = row
    return count


@compiled
def find(times, values, found):
    """Write the place of each value among `times` into `found`; each search starts where the one before ended."""
    place, last = 0, len(times) - 1
    for i in range(len(values)):
        value, low, high, step = values[i], place, place, 1
        while times[high] < value:
            low, high, step = high + 1, min(high + step, last), 2 * step
        while times[low] > value:
            low, high, step = max(low - step, 0), low - 1, 2 * step
        while low < high:
            middle = (low + high) // 2
            if times[middle] < value:
                low = middle + 1
            else:
                high = middle
        place = low
        found[i] = place


@compiled
def gather(group, place, order):
    """Write the rows group by group into `order`, those of group g in their order from `place[g]` on, which becomes
    their end."""
    for row in range(len(group)):
        order[place[group[row]]] = row
        place[group[row]] += 1


@compiled
def sort_parts(first, values, most, order):
    """Sort `order[first[i]:first[i + 1]]` by decreasing values, stably, for each i.

    Parts of more than `most` rows are left unsorted: insertion sort is quadratic.
    """
    for i in range(len(first) - 1):
        begin, end = first[i], first[i + 1]
        if end - begin > most:
            continue
        for place in range(begin + 1, end):
            row, j = order[place], place
            while j > begin and values[order[j - 1]] < values[row]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = row
