"""Opens rasters and vectors in QGIS, prints their facts as JSON and draws the first of each: in_qgis.py JOB."""
import json
import os
import sys

from qgis.core import (QgsApplication, QgsMapRendererParallelJob, QgsMapSettings, QgsProject, QgsRasterBandStats,
                       QgsRasterLayer, QgsVectorLayer)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

job = json.loads(sys.argv[1])
application = QgsApplication([], False)
application.initQgis()
facts, drawn = {}, []
for name in job["rasters"]:
    layer = QgsRasterLayer(name, name)
    assert layer.isValid(), name
    box = layer.extent()
    values = layer.dataProvider().bandStatistics(1, QgsRasterBandStats.Min | QgsRasterBandStats.Max)
    facts[name] = {"system": layer.crs().authid(), "range": [values.minimumValue, values.maximumValue],
                   "extent": [box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()]}
    drawn.append(layer)
for name in job["vectors"]:
    layer = QgsVectorLayer(name, name, "ogr")
    assert layer.isValid(), name
    facts[name] = {"system": layer.crs().authid(),
                   "areas": [feature.geometry().area() for feature in layer.getFeatures()]}
    drawn.append(layer)
polygons = drawn[len(job["rasters"])]
polygons.renderer().symbol().symbolLayer(0).setBrushStyle(0)
polygons.renderer().symbol().symbolLayer(0).setStrokeColor(QColor("red"))
shown = [polygons, drawn[0]]
QgsProject.instance().addMapLayers(shown)
settings = QgsMapSettings()
settings.setLayers(shown)
settings.setDestinationCrs(drawn[0].crs())
settings.setOutputSize(QSize(1200, 900))
settings.setExtent(drawn[0].extent())
drawing = QgsMapRendererParallelJob(settings)
drawing.start()
drawing.waitForFinished()
drawing.renderedImage().save(job["picture"])
print(json.dumps(facts))
sys.stdout.flush()
os._exit(0)  # objects of QGIS outlive the application otherwise
