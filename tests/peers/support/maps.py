"""Rasters with map coordinates, written by GDAL's programs."""
import subprocess

EPSG, PIXEL, CORNER = "EPSG:32633", 10.0, (500000.0, 5600000.0)


def write(path, image):
    """A GeoTIFF of an image of 8 or 16 bits, upper left corner at CORNER."""
    height, width = image.shape
    with open(path + ".raw", "wb") as file:
        file.write(image.astype(image.dtype.newbyteorder("<")).tobytes())
    kind = {"uint8": "Byte", "uint16": "UInt16"}[image.dtype.name]
    with open(path + ".vrt", "w", encoding="utf-8") as file:
        file.write(f'''<VRTDataset rasterXSize="{width}" rasterYSize="{height}"><VRTRasterBand dataType="{kind}" band="1"
subClass="VRTRawRasterBand"><SourceFilename relativeToVRT="1">{path}.raw</SourceFilename>
<PixelOffset>{image.itemsize}</PixelOffset><LineOffset>{image.itemsize * width}</LineOffset>
<ByteOrder>LSB</ByteOrder></VRTRasterBand></VRTDataset>''')
    (left, top), side = CORNER, PIXEL
    subprocess.run(["gdal_translate", "-q", "-a_srs", EPSG, "-a_ullr", str(left), str(top), str(left + side * width),
                    str(top - side * height), path + ".vrt", path], check=True)
