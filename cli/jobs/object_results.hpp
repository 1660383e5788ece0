#pragma once

#include "command.hpp"
#include "jobs/volume_objects.hpp"
#include "options/column_options.hpp"

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_list.hpp"
#include "io/image_file.hpp"

#include <vector>

namespace pollard::cli {

/// Columns of the table selected by --features; empty for the default and for all.
/// @throws UsageError
[[nodiscard]] std::vector<ObjectFeature> featuresOf(const ComponentsRequest& options);

/// Checks the files to write: names, differences between them, folders. @throws Error, UsageError
void checkObjectTargets(const ComponentsRequest& options);

/// Writes the files about the objects of a picture. They appear together: tables and outlines are temporaries until the
/// label image is written. @throws Error, Cancelled
void writeObjectResults(const ComponentsRequest& options, const Components& components, const ObjectList& list,
                        const ObjectUnit& unit, const ObjectColumns& further, const LoadedImage& loaded,
                        const Context& context, const JobControl& control);

} // namespace pollard::cli
