#!/usr/bin/env python3
"""Contours that evolve together beside a forbidden area, for scripts/contour_images.sh.

contours_session.py inputs FOLDER           writes starts.geojson and forbidden.pgm
contours_session.py session FOLDER IMAGE    writes work.pollard: the run of end.geojson and trace.csv
"""
import json
import os
import sys

WIDTH, HEIGHT = 480, 360
STARTS = [(160, 295, 42, 46), (160, 200, 50, 48), (390, 196, 50, 48), (278, 288, 34, 58)]  # x, y, width, height
HEAD = (272, 270, 49, 16)  # of the screw


def corners(x, y, width, height):
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def flat(points):
    return [coordinate for point in points for coordinate in point]


def write_inputs(folder):
    rings = [corners(*start) for start in STARTS]
    features = [{"type": "Feature", "properties": {},
                 "geometry": {"type": "Polygon", "coordinates": [ring + ring[:1]]}} for ring in rings]
    with open(os.path.join(folder, "starts.geojson"), "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)
    x, y, width, height = HEAD
    rows = [bytes(255 if y <= row < y + height and x <= column < x + width else 0 for column in range(WIDTH))
            for row in range(HEIGHT)]
    with open(os.path.join(folder, "forbidden.pgm"), "wb") as file:
        file.write(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + b"".join(rows))


def forbidden_runs():
    x, y, width, height = HEAD
    runs = [y * WIDTH + x]
    for _ in range(height - 1):
        runs += [width, WIDTH - width]
    return runs + [width, WIDTH * HEIGHT - sum(runs) - width]


def write_session(folder, image):
    with open(os.path.join(folder, "end.geojson")) as file:
        ends = [feature["geometry"]["coordinates"][0][:-1] for feature in json.load(file)["features"]]
    with open(os.path.join(folder, "trace.csv")) as file:
        states = len(file.readlines()) - len(STARTS)  # all starts are one state; minus the header line
    snake = {"law": "gaussian", "moves": "local-best", "max_step": 0, "min_length": 8, "min_pixels": 16,
             "max_nodes": 4096, "max_rounds": 0}
    path = os.path.join(folder, image)
    run = {"page": 0, "id": 1, "parent": 0, "parent_state": 0, "origin": "4 shapes", "spec": snake, "whole": False,
           "algorithm": "", "forbidden": 0, "starts": [flat(corners(*start)) for start in STARTS], "states": states,
           "finished": True, "last": [flat(end) for end in ends], "compared": False, "shown": states - 1,
           "contour": 0}
    session = {
        "pollard_session": 1,
        "image": {"relative": image, "absolute": path, "bytes": os.path.getsize(path), "hash": "", "read": {}},
        "region": {}, "tree": {},
        "filter": {"enabled": True, "criteria": [{"attribute": "area", "bounds": {}, "enabled": True}], "current": 0,
                   "match": "all", "prominent": {"only": False, "measure": "dynamics", "count": 20},
                   "rule": "direct", "output": "filtered", "picks": []},
        "selected": [], "selections": [],
        "objects": {"picture": "original", "threshold": "otsu", "dark": False, "connectivity": 8, "levels": [0, 0],
                    "count": 0, "removed": []},
        "contours": {"spec": snake, "whole": False, "algorithm": "", "forbidden": 0,
                     "masks": [{"width": WIDTH, "height": HEIGHT, "runs": forbidden_runs()}], "runs": [run],
                     "current": 1},
        "view": {"window": "opening", "range": [0, 1], "in_values": False, "max_level": 0, "curve": "linear",
                 "gamma": 1, "map": "grey", "inverted": False, "original": False, "compare": "off", "split": 0.5,
                 "fitting": True, "zoom": 1, "centre": [0, 0]},
        "docks": "",
    }
    with open(os.path.join(folder, "work.pollard"), "w") as file:
        json.dump(session, file)


if __name__ == "__main__":
    if sys.argv[1] == "inputs":
        write_inputs(sys.argv[2])
    else:
        write_session(sys.argv[2], sys.argv[3])
