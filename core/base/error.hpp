#pragma once

#include <stdexcept>
#include <string>

namespace pollard {

/// Kind of a failure, coarse enough for a caller to decide how to go on.
enum class ErrorCode {
    fileNotFound,      ///< no file at the path, or it cannot be opened
    fileUnreadable,    ///< a directory, an empty file, or a failing read
    formatUnknown,     ///< no reader recognises the content
    formatUnsupported, ///< a known format in a variant that is not supported
    fileDamaged,       ///< the content contradicts itself or ends early
    limitExceeded,     ///< the content needs more memory or pixels than the limits allow
    outOfMemory,       ///< an allocation failed, or the estimate exceeds the available memory
    writeFailed,       ///< the target could not be written; it is unchanged
    invalidArgument,   ///< a parameter is outside its domain
    engineUnavailable, ///< the requested engine or algorithm cannot run here
    deviceFailed,      ///< a compute device reported an error
};

/// Failure of an operation. The message is one line for the user: operation, value, limit and file.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

/// Thrown to unwind a job whose stop was requested. Not an error: the code that started the job catches it and reports
/// "cancelled".
struct Cancelled {};

} // namespace pollard
