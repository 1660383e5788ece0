#pragma once

#include "branches/sorted_runs.hpp"

// Pass 8 where a parent image is wanted. Its pixels are those of the image itself, not turned.

namespace pollard::cuda {

/// Canonical pixels of a run's node and of that node's parent.
struct RunPixels {
    std::uint32_t canonical, parent;
};

/// A thread a run.
struct FindRunPixels {
    const std::uint32_t* pixelOfRun;
    const std::uint32_t* branchOfRun;
    BranchTable branches;
    std::uint32_t lastPixel;
    RunPixels* pixels;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        auto run = static_cast<std::uint32_t>(i);
        std::uint32_t branch = branchOfRun[run];
        if (branches.isAliasRun(run, branch)) {
            run = branches.attach[branch];
            branch = branchOfRun[run];
        }
        std::uint32_t parent = run - 1;
        if (run == branches.lowest(branch)) {
            parent = branches.attach[branch] != kNoRun ? branches.attach[branch] : run;
        }
        pixels[i] = {lastPixel - pixelOfRun[run], lastPixel - pixelOfRun[parent]};
    }
};

/// Turns the run of every pixel into its place in the canonical parent image. A thread a pixel.
struct WriteParentPixels {
    const RunPixels* pixelsOfRun;
    std::uint32_t* runThenParent;

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        const RunPixels pixels = pixelsOfRun[runThenParent[pixel]];
        runThenParent[pixel] = pixels.canonical != pixel ? pixels.canonical : pixels.parent;
    }
};

} // namespace pollard::cuda
