#pragma once

#include "base/job_control.hpp"
#include "batch/recipe_batch.hpp"

#include <filesystem>
#include <vector>

namespace pollard {

/// Whether a recipe writes tables of objects.
[[nodiscard]] bool writesTables(const Recipe& recipe);

/// Writes the tables of objects of all images as one, atomically. Columns: file, the name without its folder, with
/// [N] for a page other than 0; for a recipe that selects by axes scene, channel, z, t and page, each only if a file
/// has several positions on the axis: the name of the channel, the number of a position from 0, or "max" and the like,
/// z_um and t_s behind z and t if a file states the distance; step, only if several steps write tables: 1, 2, ... among
/// steps of objects; then the columns of the tables, except axisColumns(). If all steps that write tables choose
/// columns, see ObjectsStep::columns, these are the only ones, with titleOf() as names. Columns behind the features, as
/// places and `flux`, are empty for tables without them. Lines are in the order of the images. Images that failed
/// have none.
/// @param items with the files that the batch wrote
/// @throws Error(writeFailed); Error(fileUnreadable) for a missing table; Error(fileDamaged) for one with other
/// features, of another version of the program; Cancelled
void writeJoinedTable(const std::filesystem::path& file, const Recipe& recipe, const std::vector<BatchItem>& items,
                      const std::vector<BatchResult>& results, const JobControl& control = {});

} // namespace pollard
