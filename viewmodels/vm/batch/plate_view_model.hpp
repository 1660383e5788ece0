#pragma once

#include "vm/base/async_result.hpp"

#include "base/job_control.hpp"
#include "batch/plate.hpp"

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// A part of a folder that can be opened: a hierarchy of Zarr, a DICOM series or a file.
struct FolderEntry {
    std::filesystem::path file;   ///< to open
    std::string name;             ///< "series 4 (CT)", "plate.zarr", "cells.tif"
    std::string description = {}; ///< as a series states it; may be empty
    std::size_t images = 0;       ///< that a hierarchy of Zarr lists: wells, fields or images
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

/// The plate of the open image: its wells with small images, and the values of a table of objects for each
/// well. Files are read on other threads, one at a time.
class PlateViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit PlateViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// Null if the open image belongs to no plate, and while the plate is being read.
    [[nodiscard]] const Plate* plate() const noexcept;
    /// Index of the well of the open image, and of its field there; -1: none.
    [[nodiscard]] int well() const noexcept { return place_.first; }
    [[nodiscard]] int field() const noexcept { return place_.second; }
    [[nodiscard]] int fieldCount() const; ///< of the well

    /// Whether step() would find a well in this direction, or stepField() a field.
    [[nodiscard]] bool canStep(int direction) const { return nextWell(direction) >= 0; }
    [[nodiscard]] bool canStepField(int direction) const;

    /// The small image of a well, all with the same black and white; null: none, or not read.
    [[nodiscard]] QImage thumbnail(int well) const;
    [[nodiscard]] bool isReading() const noexcept { return thumbnails_.state() == AsyncState::computing; }

    /// Columns of the table; empty without one.
    [[nodiscard]] QStringList columns() const;
    [[nodiscard]] int column() const noexcept {
        return column_;
    } ///< the coloured column of the table; -1: only small images
    /// The value of a well in the column; nothing if it has none.
    [[nodiscard]] std::optional<double> value(int well) const;
    /// The smallest and the largest value of the column; nothing if no well has one.
    [[nodiscard]] std::optional<std::pair<double, double>> range() const;
    /// Why the table was not read; empty without a failure.
    [[nodiscard]] const QString& problem() const noexcept { return values_.problem(); }

public slots:
    /// Opens the field of a well with the same number as the open one, else its last field.
    void open(int well);
    void openField(int field);
    void step(int direction);
    void stepField(int direction);
    /// Reads the small images; without it they are not read.
    void setShown(bool shown);
    /// Takes the means of a joined table of a batch.
    void loadTable(const QString& path);
    void setColumn(int column);

signals:
    void changed();               ///< plate, place or table
    void thumbnailsChanged();     ///< all, or none is left
    void thumbnailRead(int well); ///< and shown with the black and white of the images read so far
    void openRequested(const QString& path);

private:
    void onDocument();
    void onPlate();
    void onTable();
    void place();
    void readThumbnails();
    [[nodiscard]] int nextWell(int direction) const;

    DocumentViewModel& document_;
    QString folder_; ///< of the plate that is shown or being read
    std::pair<int, int> place_{-1, -1};
    int column_ = -1;
    bool shown_ = false;
    std::vector<QImage> images_; ///< while they are being read
    AsyncResult<std::optional<Plate>> plate_{[this] { onPlate(); }};
    AsyncResult<std::vector<QImage>> thumbnails_{[this] { emit thumbnailsChanged(); }};
    AsyncResult<PlateValues> values_{[this] { onTable(); }};
};

} // namespace pollard::vm
