#pragma once

#include "vm/document/document_jobs.hpp"

#include "components/components.hpp"
#include "components/objects/object_list.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"
#include "image/value_mapping.hpp"
#include "io/volumes/read_volume.hpp"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace pollard::vm {

/// The pages of a file whose objects are to be followed.
struct FollowedPages {
    PageFilter filter;
    std::vector<Engine*> engines; ///< see DocumentViewModel::engines()
    SlicePages along;             ///< the pages, in their order
    char axis = 'p';              ///< of the pages, as StackAxis::name
    ObjectRule rule;
    bool filtered = false; ///< the filtered pages; else the pages as read
    ObjectListSpec listed; ///< condition and border of the objects that are followed
    QString condition;     ///< of `listed`, with its unit
};

/// The objects of an image or volume by a rule, on the first of the engines that works.
/// @param grey image to measure
/// @param inside pixels to consider; null: all
/// @param mapping of the levels of @p grey
/// @throws Error, Cancelled
[[nodiscard]] Components objectsOf(const ObjectRule& rule, const LevelRange& levels, const Image& source,
                                   const Image& grey, const Mask* inside, const std::vector<Engine*>& engines,
                                   const JobControl& control, const std::optional<ValueMapping>& mapping = {});

/// Finds the objects of the pages, one after another; grey levels are levels of the pages as read.
/// @param take called with the objects of each page, in order, and the mapping of their grey levels
/// @throws Error naming the page that failed; Error(outOfMemory) before a filtered page that needs more memory than
/// available; Cancelled
void findOnPages(const FollowedPages& pages,
                 const std::function<void(Components, const std::optional<ValueMapping>&)>& take,
                 const JobContext& context);

} // namespace pollard::vm
