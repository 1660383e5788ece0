# Libraries of the image formats. libtiff, libpng, zlib, libjpeg, OpenJPEG, WebP and pugixml are required; FITS, whole slides,
# PROJ (longitudes and latitudes), wcslib (positions in the sky), GDAL, OME-Zarr and the codecs of DCMTK are optional: sets
# POLLARD_WITH_FITS, POLLARD_WITH_OPENSLIDE, POLLARD_WITH_PROJ, POLLARD_WITH_WCS, POLLARD_WITH_GDAL, POLLARD_WITH_ZARR and
# POLLARD_WITH_DCMTK.

pollard_require(TIFF TIFF::TIFF tiffio.h libtiff-dev)
pollard_require(PNG PNG::PNG png.h libpng-dev)
pollard_require(ZLIB ZLIB::ZLIB zlib.h zlib1g-dev)
pollard_require(JPEG JPEG::JPEG jpeglib.h libjpeg-dev)
pollard_require(pugixml pugixml::pugixml pugixml.hpp libpugixml-dev)

pollard_find_modules(missing OPENJPEG libopenjp2 openjpeg.h libopenjp2-7-dev)
pollard_need("${missing}")
pollard_find_modules(missing WEBP "libwebp;libwebpdemux;libwebpmux" "webp/decode.h;webp/demux.h;webp/mux.h" libwebp-dev)
pollard_need("${missing}")

# pollard_optional_format(NAME TITLE MODULES HEADERS DEBIAN): searches pkg-config modules according to POLLARD_<NAME>.
function(pollard_optional_format name title modules headers debian)
  list(TRANSFORM modules REPLACE ">=.*" "" OUTPUT_VARIABLE names)
  list(JOIN names ", " names)
  pollard_wish(${name} "Read ${title} with ${names}")
  set(missing)
  if(POLLARD_${name})
    pollard_find_modules(missing ${name} "${modules}" "${headers}" "${debian}")
  endif()
  string(STRIP "read with ${names} ${${name}_VERSION}" yes)
  pollard_decide(${name} "${title}" "${yes}" "not read" "${missing}")
  set(POLLARD_WITH_${name} ${POLLARD_WITH_${name}} PARENT_SCOPE)
endfunction()

pollard_optional_format(FITS "FITS" cfitsio fitsio.h libcfitsio-dev)
pollard_optional_format(OPENSLIDE "Whole slides" openslide openslide.h libopenslide-dev)
pollard_optional_format(PROJ "Map coordinates" "proj>=9.1" proj.h libproj-dev)
pollard_optional_format(WCS "Positions in the sky" wcslib "wcs.h;wcshdr.h" wcslib-dev)
pollard_optional_format(ZARR "OME-Zarr" "blosc;libzstd;liblz4" "blosc.h;zstd.h;lz4.h" "libblosc-dev libzstd-dev liblz4-dev")
# GDAL reads GeoPackages by SQLite, whose tables are looked at before.
pollard_optional_format(GDAL "Rasters and vector files" "gdal>=3.5;sqlite3" "gdal.h;sqlite3.h" "libgdal-dev libsqlite3-dev")

# DICOM files with JPEG and JPEG-LS are decoded by DCMTK; others need no further library. The target has the libraries of the
# codecs only: the pkg-config module of DCMTK names all of its libraries, and packages that are not needed. Tests encode
# with DCMTK_dcmimage.
pollard_wish(DCMTK "Decode JPEG and JPEG-LS in DICOM files with DCMTK")
set(missing)
if(POLLARD_DCMTK)
  find_path(DCMTK_INCLUDE dcmtk/dcmjpeg/djdecode.h)
  set(dcmtk_libraries)
  if(NOT DCMTK_INCLUDE)
    set(missing "dcmtk/dcmjpeg/djdecode.h is missing (Debian: libdcmtk-dev)")
  endif()
  foreach(library dcmjpeg dcmjpls dcmdata oflog ofstd dcmimage)
    find_library(DCMTK_${library} ${library})
    if(NOT DCMTK_${library} AND NOT missing)
      set(missing "the library ${library} is missing (Debian: libdcmtk-dev)")
    endif()
  endforeach()
endif()
pollard_decide(DCMTK "DICOM with JPEG or JPEG-LS" "read with DCMTK" "not read" "${missing}")
if(POLLARD_WITH_DCMTK)
  add_library(Pollard::DCMTK INTERFACE IMPORTED GLOBAL)
  target_include_directories(Pollard::DCMTK INTERFACE ${DCMTK_INCLUDE})
  target_link_libraries(Pollard::DCMTK INTERFACE ${DCMTK_dcmjpeg} ${DCMTK_dcmjpls} ${DCMTK_dcmdata} ${DCMTK_oflog} ${DCMTK_ofstd})
endif()
