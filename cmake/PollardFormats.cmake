# Libraries of the image formats. zlib, OpenJPEG, WebP and pugixml are required; FITS, whole slides and PROJ (longitudes and
# latitudes) are optional: sets POLLARD_WITH_FITS, POLLARD_WITH_OPENSLIDE and POLLARD_WITH_PROJ.

find_package(TIFF REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(JPEG REQUIRED)
find_package(pugixml REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(OPENJPEG REQUIRED IMPORTED_TARGET GLOBAL libopenjp2)
pkg_check_modules(WEBP REQUIRED IMPORTED_TARGET GLOBAL libwebp libwebpdemux libwebpmux)

# pollard_optional_format(NAME MODULE WHAT): searches a pkg-config module according to POLLARD_<NAME> (AUTO, ON, OFF),
# sets POLLARD_WITH_<NAME> and prints the result.
function(pollard_optional_format name module what)
  set(POLLARD_${name} AUTO CACHE STRING "Read ${what} with ${module}: AUTO (if it is found), ON, OFF")
  set_property(CACHE POLLARD_${name} PROPERTY STRINGS AUTO ON OFF)
  set(with OFF)
  if(POLLARD_${name} STREQUAL "ON")
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET GLOBAL ${module})
  elseif(NOT POLLARD_${name} STREQUAL "OFF")
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
  if(TARGET PkgConfig::${name})
    set(with ON)
    message(STATUS "${what}: read with ${module} ${${name}_VERSION}")
  else()
    message(STATUS "${what}: not read (no ${module}, or POLLARD_${name}=OFF)")
  endif()
  set(POLLARD_WITH_${name} ${with} PARENT_SCOPE)
endfunction()

pollard_optional_format(FITS cfitsio "FITS")
pollard_optional_format(OPENSLIDE openslide "Whole slides")
pollard_optional_format(PROJ proj>=9.1 "Map coordinates")
