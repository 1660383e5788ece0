#pragma once

#include "vm/base/async_result.hpp"

#include "base/job_control.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pollard::vm {

/// A part of a folder that can be opened: a hierarchy of Zarr, a DICOM series or a file.
struct FolderEntry {
    std::filesystem::path file;   ///< to open
    std::string name;             ///< "series 4 (CT)", "plate.zarr", "cells.tif"
    std::string description = {}; ///< as a series states it; may be empty
    std::size_t pictures = 0;     ///< that a hierarchy of Zarr lists: wells, fields or images
    std::size_t files = 0;        ///< of a series; 1 for a file, 0 if not counted
    std::uint64_t width = 0;      ///< px; 0: not read
    std::uint64_t height = 0;
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0; ///< 0: not counted
};

/// Hierarchies of Zarr, then DICOM series, then other images among files, and in folders and their folders; each kind
/// in the order of the paths. @throws Error(fileUnreadable) for a folder that cannot be read; Cancelled
[[nodiscard]] std::vector<FolderEntry> entriesAmong(std::span<const std::filesystem::path> places,
                                                    const JobControl& control = {});

/// The images among files, and in folders and their folders, found on another thread. Its end cancels the search.
class SeriesList : public QObject {
    Q_OBJECT

public:
    /// @param places files and folders
    explicit SeriesList(const QStringList& places, QObject* parent = nullptr);

    [[nodiscard]] bool isSearching() const noexcept { return found_.state() == AsyncState::computing; }
    /// Empty while isSearching(), and after a failure.
    [[nodiscard]] const std::vector<FolderEntry>& entries() const noexcept;
    [[nodiscard]] const QString& problem() const noexcept { return found_.problem(); } ///< empty without a failure

signals:
    void changed();

private:
    AsyncResult<std::vector<FolderEntry>> found_{[this] { emit changed(); }};
};

} // namespace pollard::vm
