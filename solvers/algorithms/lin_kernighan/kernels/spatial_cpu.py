"""Nearest cities in the plane, by bounding boxes over a space-filling curve.

The curve is D. Hilbert's (1891); the boxes are a packed R-tree over the curve (I. Kamel and C. Faloutsos, "On Packing
R-trees", 1993). Unlike a grid, this is not slowed down by clusters or coincident cities.
"""

import numpy as np

from solvers.kernels.compiler import njit

#: Number of cities per box on the lowest level, and number of boxes per box on a higher level.
FAN = 8
_BITS = 20
#: The "quadrant" that stands for the whole plane.
_EVERYWHERE = 4


@njit(cache=True, nogil=True)
def hilbert_keys(points, keys):
    """Write each point's position along a Hilbert curve over the bounding box of all points, uint64."""
    n = points.shape[0]
    low_x = high_x = points[0, 0]
    low_y = high_y = points[0, 1]
    for p in range(n):
        low_x, high_x = min(low_x, points[p, 0]), max(high_x, points[p, 0])
        low_y, high_y = min(low_y, points[p, 1]), max(high_y, points[p, 1])
    extent = max(high_x - low_x, high_y - low_y)
    scale = ((1 << _BITS) - 1) / extent if extent > 0 else 0.0
    for p in range(n):
        x, y = np.int64((points[p, 0] - low_x) * scale), np.int64((points[p, 1] - low_y) * scale)
        key, bit = np.int64(0), np.int64(1 << (_BITS - 1))
        while bit > 0:
            right, upper = np.int64((x & bit) > 0), np.int64((y & bit) > 0)
            key += bit * bit * ((3 * right) ^ upper)
            if upper == 0:
                if right == 1:
                    x, y = (1 << _BITS) - 1 - x, (1 << _BITS) - 1 - y
                x, y = y, x
            bit >>= 1
        keys[p] = key


def box_levels(n):
    """Return the first box of each level, the lowest level first, and the total number of boxes; int64."""
    starts, count, total = [], n, 0
    while True:
        count = -(-count // FAN)
        starts.append(total)
        total += count
        if count == 1:
            return np.array([*starts, total], np.int64)


@njit(cache=True, nogil=True)
def fill_boxes(points, levels, boxes):
    """Write the bounding boxes of all levels to `boxes`, (boxes, 4): minimum x and y, maximum x and y."""
    for level in range(levels.size - 1):
        first, count = levels[level], levels[level + 1] - levels[level]
        below = points.shape[0] if level == 0 else levels[level] - levels[level - 1]
        for b in range(count):
            min_x = min_y = np.inf
            max_x = max_y = -np.inf
            for child in range(b * FAN, min(below, (b + 1) * FAN)):
                if level == 0:
                    x, y = points[child, 0], points[child, 1]
                    min_x, min_y, max_x, max_y = min(min_x, x), min(min_y, y), max(max_x, x), max(max_y, y)
                else:
                    row = levels[level - 1] + child
                    min_x, min_y = min(min_x, boxes[row, 0]), min(min_y, boxes[row, 1])
                    max_x, max_y = max(max_x, boxes[row, 2]), max(max_y, boxes[row, 3])
            boxes[first + b, 0], boxes[first + b, 1] = min_x, min_y
            boxes[first + b, 2], boxes[first + b, 3] = max_x, max_y


@njit(inline="always")
def _is_in(quadrant, dx, dy):
    """Return whether a difference is in a quadrant: 0 to 3, counter-clockwise from the upper right, or anywhere."""
    if quadrant == _EVERYWHERE:
        return True
    if quadrant == 0:
        return dx > 0 and dy >= 0
    if quadrant == 1:
        return dx <= 0 and dy > 0
    if quadrant == 2:
        return dx < 0 and dy <= 0
    return dx >= 0 and dy < 0


@njit(cache=True, nogil=True)
def _search(points, levels, boxes, current, quadrant, nearest, reach, count, stack):
    """Find a quadrant's `count` nearest points, ties by index; write `nearest` and `reach`, and return their number."""
    x, y = points[current, 0], points[current, 1]
    n, top, have = points.shape[0], levels.size - 2, 0
    climbed, node = -1, current
    while climbed <= top:
        # Search the box that contains the point, without the part already searched.
        box = node // FAN
        below = n if climbed < 0 else levels[climbed + 1] - levels[climbed]
        stack_size = 0
        for child in range(min(below, (box + 1) * FAN) - 1, box * FAN - 1, -1):
            if child != node:
                stack[stack_size, 0], stack[stack_size, 1] = climbed, child
                stack_size += 1
        while stack_size > 0:
            stack_size -= 1
            level, index = stack[stack_size, 0], stack[stack_size, 1]
            if level < 0:
                dx, dy = points[index, 0] - x, points[index, 1] - y
                if not _is_in(quadrant, dx, dy):
                    continue
                squared = dx * dx + dy * dy
                at = have
                if have == count:
                    if squared > reach[count - 1] or (squared == reach[count - 1] and index > nearest[count - 1]):
                        continue
                    at = count - 1
                else:
                    have += 1
                while at > 0 and (squared < reach[at - 1] or (squared == reach[at - 1] and index < nearest[at - 1])):
                    nearest[at], reach[at] = nearest[at - 1], reach[at - 1]
                    at -= 1
                nearest[at], reach[at] = index, squared
                continue
            row = levels[level] + index
            min_x, min_y, max_x, max_y = boxes[row, 0], boxes[row, 1], boxes[row, 2], boxes[row, 3]
            if quadrant < _EVERYWHERE:
                right, upper = quadrant in (0, 3), quadrant < 2
                if (max_x < x if right else min_x > x) or (max_y < y if upper else min_y > y):
                    continue
            dx, dy = max(0.0, max(min_x - x, x - max_x)), max(0.0, max(min_y - y, y - max_y))
            if have == count and dx * dx + dy * dy > reach[count - 1]:
                continue
            below = n if level == 0 else levels[level] - levels[level - 1]
            for child in range(min(below, (index + 1) * FAN) - 1, index * FAN - 1, -1):
                stack[stack_size, 0], stack[stack_size, 1] = level - 1, child
                stack_size += 1
        node = box
        climbed += 1
    return have


@njit(cache=True, nogil=True)
def find_beside(points, levels, boxes, start, end, width, found):
    """Find the points that are at most `width` away from the segment between two points.

    Parameters
    ----------
    points, levels, boxes
        See `find_candidates`.
    start, end : int
    width : float
    found : ndarray, shape (n,), int32
        Written in place.

    Returns
    -------
    int
        Number of points written.
    """
    x, y = points[start, 0], points[start, 1]
    along_x, along_y = points[end, 0] - x, points[end, 1] - y
    squared = max(along_x * along_x + along_y * along_y, 1e-300)
    n, count, stack_size = points.shape[0], 0, 1
    stack = np.empty((FAN * (levels.size + 1), 2), np.int64)
    stack[0, 0], stack[0, 1] = levels.size - 2, 0
    while stack_size > 0:
        stack_size -= 1
        level, index = stack[stack_size, 0], stack[stack_size, 1]
        at_x, at_y, reach = points[index, 0], points[index, 1], width
        if level >= 0:  # a box counts as the circle around it
            row = levels[level] + index
            at_x, at_y = (boxes[row, 0] + boxes[row, 2]) / 2, (boxes[row, 1] + boxes[row, 3]) / 2
            reach = width + np.hypot(boxes[row, 2] - at_x, boxes[row, 3] - at_y)
        share = min(1.0, max(0.0, ((at_x - x) * along_x + (at_y - y) * along_y) / squared))
        dx, dy = at_x - x - share * along_x, at_y - y - share * along_y
        if dx * dx + dy * dy > reach * reach:
            continue
        if level < 0:
            found[count] = index
            count += 1
            continue
        below = n if level == 0 else levels[level] - levels[level - 1]
        for child in range(min(below, (index + 1) * FAN) - 1, index * FAN - 1, -1):
            stack[stack_size, 0], stack[stack_size, 1] = level - 1, child
            stack_size += 1
    return count


@njit(cache=True, nogil=True, shared=True)
def find_candidates(points, levels, boxes, first, last, per_quadrant, near):
    """Find candidates for points `first` to `last` - 1: the nearest of each quadrant, then the nearest of all.

    Parameters
    ----------
    points : ndarray, shape (n, 2), float64
        The points in the order of the curve.
    levels, boxes
        See `box_levels` and `fill_boxes`.
    first, last : int
    per_quadrant : int
        Number of points per quadrant, if there are as many.
    near : ndarray, shape (n, k), int32
        Written in place: the candidates by distance, ties by index; k < n.
    """
    k = near.shape[1]
    maximum = max(k, per_quadrant)
    nearest, reach = np.empty((5, maximum), np.int64), np.empty((5, maximum))
    stack = np.empty((FAN * (levels.size + 1), 2), np.int64)
    have, inside, chosen = np.zeros(5, np.int64), np.zeros(5, np.int64), np.empty(k, np.int64)
    squared = np.empty(k)
    for current in range(first, last):
        _search(points, levels, boxes, current, _EVERYWHERE, nearest[4], reach[4], k, stack)
        inside[:] = 0
        for c in range(k):
            dx, dy = points[nearest[4, c], 0] - points[current, 0], points[nearest[4, c], 1] - points[current, 1]
            for quadrant in range(4):
                inside[quadrant] += _is_in(quadrant, dx, dy)
        size = 0
        for quadrant in range(4):
            if inside[quadrant] >= per_quadrant:
                continue
            have[quadrant] = _search(
                points, levels, boxes, current, quadrant, nearest[quadrant], reach[quadrant], per_quadrant, stack
            )
            for c in range(inside[quadrant], have[quadrant]):
                if size < k:
                    chosen[size], squared[size] = nearest[quadrant, c], reach[quadrant, c]
                    size += 1
        # First come the nearest of all, as far as the quadrants leave room; then the more distant ones.
        room = k - size
        for c in range(k):
            if room == 0:
                break
            dx, dy = points[nearest[4, c], 0] - points[current, 0], points[nearest[4, c], 1] - points[current, 1]
            chosen[size], squared[size] = nearest[4, c], reach[4, c]
            size += 1
            room -= 1
        for c in range(1, size):
            city, far = chosen[c], squared[c]
            at = c
            while at > 0 and (far < squared[at - 1] or (far == squared[at - 1] and city < chosen[at - 1])):
                chosen[at], squared[at] = chosen[at - 1], squared[at - 1]
                at -= 1
            chosen[at], squared[at] = city, far
        for c in range(k):
            near[current, c] = chosen[c]
