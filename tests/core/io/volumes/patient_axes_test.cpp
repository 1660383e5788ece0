// Letters, planes and places in the axes of a patient, for all orientations of voxels.
#include "io/volumes/patient_axes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace pollard::test {

namespace {

constexpr double kDegree = 0.017453292519943295;

/// The unit step that ascends to a letter.
AxisDirection towards(char letter) {
    switch (letter) {
    case 'R':
        return {1, 0, 0};
    case 'L':
        return {-1, 0, 0};
    case 'A':
        return {0, 1, 0};
    case 'P':
        return {0, -1, 0};
    case 'S':
        return {0, 0, 1};
    default:
        return {0, 0, -1};
    }
}

PatientPlane planeAcross(char letter) {
    return letter == 'R' || letter == 'L'   ? PatientPlane::sagittal
           : letter == 'A' || letter == 'P' ? PatientPlane::coronal
                                            : PatientPlane::axial;
}

TEST(PatientAxes, AllOrientationsHaveTheirLettersAndPlanes) {
    constexpr std::array<std::array<char, 2>, 3> kEnds{{{'R', 'L'}, {'A', 'P'}, {'S', 'I'}}};
    std::array<std::size_t, 3> order{0, 1, 2};
    int count = 0;
    do {
        for (unsigned signs = 0; signs < 8; ++signs) {
            std::array<char, 3> letters{};
            VoxelMap map;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                letters[axis] = kEnds[order[axis]][signs >> axis & 1U];
                map.steps[axis] = towards(letters[axis]);
                for (double& component : map.steps[axis]) {
                    component *= 0.5 + static_cast<double>(axis); // sides of a voxel
                }
            }
            const auto letterOf = [](const AxisDirection& direction) { return patientLetters(direction); };
            const auto slice = directionsIn(map, VolumeAxis::z);
            EXPECT_EQ(letterOf(slice[0]), std::string(1, letters[0]));
            EXPECT_EQ(letterOf(slice[1]), std::string(1, letters[1]));
            const auto front = directionsIn(map, VolumeAxis::y);
            EXPECT_EQ(letterOf(front[0]), std::string(1, letters[0]));
            EXPECT_EQ(letterOf(front[1]), std::string(1, letters[2]));
            const auto side = directionsIn(map, VolumeAxis::x);
            EXPECT_EQ(letterOf(side[0]), std::string(1, letters[2]));
            EXPECT_EQ(letterOf(side[1]), std::string(1, letters[1]));
            for (const VolumeAxis across : {VolumeAxis::x, VolumeAxis::y}) {
                const auto [right, down] = directionsIn(map, across, uprightTurn(map, across));
                const PatientPlane plane = *patientPlane(map, across);
                EXPECT_EQ(letterOf(down), plane == PatientPlane::axial ? "P" : "I");
                if (plane == PatientPlane::sagittal) {
                    EXPECT_EQ(letterOf(right), "P");
                } else if (across == VolumeAxis::y && (letters[0] == 'R' || letters[0] == 'L')) {
                    EXPECT_EQ(letterOf(right), std::string(1, letters[0])) << "as in the slices";
                } else {
                    EXPECT_EQ(letterOf(right), "L");
                }
            }
            EXPECT_EQ(uprightTurn(map, VolumeAxis::z), PlaneTurn());
            EXPECT_EQ(patientPlane(map, VolumeAxis::x), planeAcross(letters[0]));
            EXPECT_EQ(patientPlane(map, VolumeAxis::y), planeAcross(letters[1]));
            EXPECT_EQ(patientPlane(map, VolumeAxis::z), planeAcross(letters[2]));
            ++count;
        }
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(count, 48);
}

TEST(PatientAxes, ObliqueDirectionsHaveTwoLettersFromTwentyDegrees) {
    const auto turned = [](double degrees) {
        return patientLetters({0, 3 * std::cos(degrees * kDegree), 3 * std::sin(degrees * kDegree)});
    };
    EXPECT_EQ(turned(0), "A");
    EXPECT_EQ(turned(19.9), "A");
    EXPECT_EQ(turned(20.1), "AS");
    EXPECT_EQ(turned(-30), "AI");
    EXPECT_EQ(turned(60), "SA");
    EXPECT_EQ(turned(75), "S");
    EXPECT_EQ(turned(150), "PS");
    EXPECT_EQ(patientLetters({-1, -0.9, 0.1}), "LP");
    EXPECT_EQ(patientLetters({0, 0, 0}), "");
    EXPECT_EQ(patientLetters({std::nan(""), 1, 0}), "");
}

TEST(PatientAxes, PlanesFollowTheirNormalNotTheThirdStep) {
    // Slices of a tilted gantry: the step from slice to slice leans by 50 degrees, their planes stay axial.
    const VoxelMap map{{{{-1, 0, 0}, {0, -1, 0}, {0, std::sin(50 * kDegree), std::cos(50 * kDegree)}}}, {}};
    EXPECT_EQ(patientPlane(map, VolumeAxis::z), PatientPlane::axial);
    const VoxelMap flat{{{{1, 0, 0}, {2, 0, 0}, {0, 0, 1}}}, {}};
    EXPECT_EQ(patientPlane(flat, VolumeAxis::z), std::nullopt);
    const VoxelMap none{{{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, {}};
    EXPECT_EQ(uprightTurn(none, VolumeAxis::x), PlaneTurn()) << "without a plane";
}

TEST(PatientAxes, CentresAndLengthsOfSteps) {
    VoxelMap map{{{{-0.5, 0, 0}, {0, 0, -2}, {0, 3, 4}}}, {10, 20, 30}};
    EXPECT_EQ(voxelCentre(map, 0, 0, 0), (AxisDirection{10, 20, 30}));
    EXPECT_EQ(voxelCentre(map, 4, 3, 2), (AxisDirection{8, 26, 32}));
    setStepLengths(map, {0, 1, 10});
    EXPECT_EQ(map.steps[0], (AxisDirection{-0.5, 0, 0})) << "0 leaves it";
    EXPECT_EQ(map.steps[1], (AxisDirection{0, 0, -1}));
    EXPECT_EQ(map.steps[2], (AxisDirection{0, 6, 8}));
}

} // namespace

} // namespace pollard::test
