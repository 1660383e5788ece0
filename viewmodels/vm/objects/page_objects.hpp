#pragma once

#include "vm/document/document_jobs.hpp"

#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"

#include <functional>

namespace pollard::vm {

/// The pages of a file whose objects are to be followed.
struct FollowedPages {
    PageFilter filter;
    Engine* engine = nullptr; ///< that does the work; another one takes over where its device fails
    int pages = 1;
    ObjectRule rule;
    bool filtered = false; ///< the filtered pages; else as they are read
};

/// Finds the objects of all pages, one after the other; their grey levels are those of the pages as they are read.
/// @param take is given the objects of each page, in order
/// @throws Error naming the page that failed; Error(outOfMemory) before a filtered page that needs more memory than
///         there is; Cancelled
void findOnPages(const FollowedPages& pages, const std::function<void(Components)>& take, const JobContext& context);

} // namespace pollard::vm
