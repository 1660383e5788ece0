#pragma once

#include "vm/document/document_services.hpp"
#include "vm/document/job_types.hpp"
#include "vm/picture/open_request.hpp"

namespace pollard::vm {

/// How a document filters the displayed page: input of DocumentJobs::filterPage() for filtering others in the same way
/// on another thread.
struct PageFilter {
    DocumentServices services;
    OpenRequest stack; ///< its page is ignored
    LoadRules rules;
    TreeRequest tree; ///< without hand-picked components, which belong to one page

    /// Whether both give the same pictures for all pages.
    [[nodiscard]] bool filtersAs(const PageFilter& other) const;
};

} // namespace pollard::vm
