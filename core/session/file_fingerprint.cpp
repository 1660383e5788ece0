#include "session/file_fingerprint.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325U;
constexpr std::uint64_t kPrime = 0x100000001b3U;
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;

} // namespace

FileFingerprint fingerprintOf(const std::filesystem::path& path, const JobControl& control) {
    const auto refuse = [&path](ErrorCode code, const std::string& why) {
        throw Error(code, "cannot read file: " + path.string() + ": " + why);
    };
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) {
        refuse(ErrorCode::fileNotFound, "there is no such file");
    }
    if (!std::filesystem::is_regular_file(status)) {
        refuse(ErrorCode::fileUnreadable, "it is no file of data");
    }
    FileFingerprint fingerprint;
    fingerprint.bytes = std::filesystem::file_size(path, problem);
    std::ifstream file(path, std::ios::binary);
    if (problem || !file) {
        refuse(ErrorCode::fileUnreadable, "it cannot be read");
    }
    const std::uint64_t bytes = fingerprint.bytes;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts{{0, bytes}}; // offset, number of bytes
    if (bytes > kWholeFingerprint) {
        parts = {{0, kFingerprintPart},
                 {(bytes - kFingerprintPart) / 2, kFingerprintPart},
                 {bytes - kFingerprintPart, kFingerprintPart}};
    }
    fingerprint.hash = kOffsetBasis;
    std::vector<char> piece(std::min(bytes, kPiece));
    for (auto [first, left] : parts) {
        file.seekg(static_cast<std::streamoff>(first));
        while (left > 0) {
            control.throwIfStopped();
            const std::uint64_t count = std::min(left, kPiece);
            if (!file.read(piece.data(), static_cast<std::streamsize>(count))) {
                refuse(ErrorCode::fileUnreadable, "it ends early");
            }
            for (std::uint64_t i = 0; i < count; ++i) {
                fingerprint.hash = (fingerprint.hash ^ static_cast<unsigned char>(piece[i])) * kPrime;
            }
            left -= count;
        }
    }
    return fingerprint;
}

std::string hashText(const FileFingerprint& fingerprint) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "fnv1a64:";
    for (int shift = 60; shift >= 0; shift -= 4) {
        text += kDigits[fingerprint.hash >> static_cast<unsigned>(shift) & 0xfU];
    }
    return text;
}

} // namespace pollard
