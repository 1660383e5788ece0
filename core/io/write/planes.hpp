#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/volumes/voxel_place.hpp"
#include "io/write/label_properties.hpp"
#include "io/write/pixel_rows.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Facts about pixels. A file states them as far as its format can.
struct PlaneFacts {
    Calibration scale = {}; ///< of the samples; ignored for labels
    /// Number of the sample of pixels without data; NaN for NaN.
    std::optional<double> noData = {};
    /// Smallest and largest value that levels of the source stand for; unset: those of the type.
    std::optional<std::pair<double, double>> range = {};
    bool isZarr = false;                         ///< the source is Zarr, in which channels have one scale
    bool isZarr3 = false;                        ///< the source is OME-Zarr 0.5
    bool means = true;                           ///< reduced versions have means, else the first of 2 x 2 pixels
    bool hasGaps = false;                        ///< the source has pixels without data
    std::vector<CopiedTag> carried = {};         ///< resolution and geo tags, for TIFF
    SceneDescription scene = {};                 ///< of the file; in a TIFF from the first plane
    std::optional<VoxelPlace> place = {};        ///< NIfTI leaves out places in spaces without anatomy
    std::optional<SkyHeader> sky = {};           ///< for FITS
    std::optional<VoxelSides> spacing = {};      ///< sides of a voxel in an unknown unit, without a size
    const LabelProperties* properties = nullptr; ///< of labels, for OME-Zarr
};

/// An image or volume, or a channel of one.
struct Plane {
    PixelRows rows;
    PlaneFacts facts = {};
};

/// The planes of a file. Each is made when it is written, so that only one is in memory at a time.
struct Planes {
    /// May throw.
    using Make = std::function<Plane(int plane, const JobControl& control)>;

    // NOLINTBEGIN(google-explicit-constructor): a single plane is written like several
    Planes(int number, Make maker) : count(number), make(std::move(maker)) {}
    Planes(Plane plane) : Planes(1, [plane = std::move(plane)](int, const JobControl&) { return plane; }) {}
    Planes(PixelRows rows, PlaneFacts facts = {}) : Planes(Plane{std::move(rows), std::move(facts)}) {}
    Planes(const Image& image, PlaneFacts facts = {}) : Planes(pixelRowsOf(image), std::move(facts)) {}
    // NOLINTEND(google-explicit-constructor)

    int count;
    Make make;
};

} // namespace pollard
