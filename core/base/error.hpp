#pragma once

#include <stdexcept>
#include <string>

namespace pollard {

/// What went wrong, coarsely enough for a caller to decide what to do next.
enum class ErrorCode {
    fileNotFound,      ///< the path names nothing that can be opened
    fileUnreadable,    ///< the path exists and is a directory, is empty, or cannot be read
    formatUnknown,     ///< no reader recognises the content
    formatUnsupported, ///< the format is known, this variant of it is not handled
    fileDamaged,       ///< the content contradicts itself or ends early
    limitExceeded,     ///< the content asks for more memory or pixels than the limits allow
    outOfMemory,       ///< an allocation failed or the estimate exceeds what there is
    writeFailed,       ///< the target could not be written; it is left as it was
    invalidArgument,   ///< a parameter is outside its domain
    engineUnavailable, ///< the requested engine or algorithm cannot run here
    deviceFailed,      ///< a compute device reported an error
};

/// Failure of an operation. The message names the operation, the value, the limit and the file,
/// in one line, and is written for the person in front of the screen.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

/// Unwinds a job that was asked to stop. Not an error: whoever started the job catches it and
/// reports "cancelled" as a result.
struct Cancelled {};

} // namespace pollard
