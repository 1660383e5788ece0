#pragma once

#include "geo/sky_coordinates.hpp"
#include "io/metadata/sky_header.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pollard::testing {

/// Coordinates of an image of 100 rows: a tangential projection with the polynomials of SIP.
inline SkyHeader sipHeader() {
    SkyHeader sky;
    sky.cards = {"CTYPE1  = 'RA---TAN-SIP'",
                 "CTYPE2  = 'DEC--TAN-SIP'",
                 "CRVAL1  =                150.1 / [deg] of the reference",
                 "CRVAL2  =                  2.2",
                 "CRPIX1  =                 40.5 / column of the reference",
                 "CRPIX2  =                60.25",
                 "CD1_1   =              -0.0002",
                 "CD1_2   =                1E-05",
                 "CD2_1   =              1.1D-05",
                 "CD2_2   =              0.00021",
                 "RADESYS = 'FK5     '",
                 "EQUINOX =               2000.0",
                 "A_ORDER =                    2",
                 "B_ORDER =                    2",
                 "A_2_0   =               0.0001",
                 "A_1_1   =               -2E-05",
                 "A_0_2   =                3E-05",
                 "B_2_0   =                2E-05",
                 "B_1_1   =                5E-05",
                 "B_0_2   =               -7E-05"};
    for (std::string& card : sky.cards) {
        card.resize(80, ' ');
    }
    sky.height = 100;
    return sky;
}

/// Whether this build computes positions in the sky.
inline bool hasWcs() { return !wcslibVersion().empty(); }
#define POLLARD_NEED_WCS()                                                                                             \
    if (!::pollard::testing::hasWcs()) {                                                                               \
        GTEST_SKIP() << "this build has no wcslib";                                                                    \
    }                                                                                                                  \
    static_assert(true)

} // namespace pollard::testing
