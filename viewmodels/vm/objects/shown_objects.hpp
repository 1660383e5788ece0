#pragma once

#include "vm/objects/object_listing.hpp"

#include "base/job_control.hpp"
#include "components/objects/object_features.hpp"

#include <QByteArray>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

struct TrackedStack;

/// The displayed table of objects: columns, rows, order and unit. Immutable, so that a job can write it.
struct ShownObjects {
    QByteArray header; ///< line of titles with units, in the format of csvOf()
    std::vector<ObjectFeature> columns;
    ObjectUnit unit; ///< as displayed
    std::shared_ptr<const ObjectListing> listing;
    std::vector<std::string> further; ///< names of columns of channels behind those of features
    bool hasTracks = false;           ///< as the last column
    std::shared_ptr<const TrackedStack> tracks;

    /// Writes the same lines as csvOf(). @throws Error(writeFailed), Cancelled
    void write(const std::filesystem::path& target, const JobControl& control) const;
};

} // namespace pollard::vm
