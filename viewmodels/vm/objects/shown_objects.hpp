#pragma once

#include "vm/objects/object_listing.hpp"

#include "base/job_control.hpp"
#include "components/objects/object_features.hpp"

#include <QByteArray>

#include <filesystem>
#include <memory>
#include <vector>

namespace pollard::vm {

struct TrackedStack;

/// The table of objects as it is shown: columns, rows, order and unit. Never changed, so that a job can write it.
struct ShownObjects {
    QByteArray header; ///< line of titles with units, as csvOf() writes it
    std::vector<ObjectFeature> columns;
    double side = 1; ///< of a pixel, in the unit that is shown
    std::shared_ptr<const ObjectListing> listing;
    bool hasTracks = false; ///< a last column
    std::shared_ptr<const TrackedStack> tracks;

    /// Writes the lines that csvOf() makes of the table. @throws Error(writeFailed), Cancelled
    void write(const std::filesystem::path& target, const JobControl& control) const;
};

} // namespace pollard::vm
