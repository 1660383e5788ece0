#include "shell/file_dialogs.hpp"

#include "batch/input_files.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/image_writer.hpp"
#include "recipe/results/result_file.hpp"
#include "shell/models.hpp"
#include "widgets/panel_parts.hpp"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

QString fileDialogsText(const char* source) { return QCoreApplication::translate("FileDialogs", source); }

/// Names of formats that are no proper names.
[[maybe_unused]] constexpr const char* kFormats[] = {QT_TRANSLATE_NOOP("Formats", "Whole slides"),
                                                     QT_TRANSLATE_NOOP("Formats", "GDAL rasters")};

/// Patterns for names of DICOM files without an extension: letters without a dot, at most twice as many as on media,
/// and identifiers of digits.
QStringList unnamedDicom() {
    constexpr int kMostLetters = 16;
    QStringList patterns;
    for (int letters = 1; letters <= kMostLetters; ++letters) {
        patterns << QStringLiteral("[!.]").repeated(letters);
    }
    return patterns << QStringLiteral("[0-9].[0-9]*") << QStringLiteral("??.[0-9]*.[0-9]*");
}

QString nameFilters() {
    QStringList all;
    QStringList each;
    for (const FormatFilter& format : readableFormats()) {
        QStringList patterns;
        for (const std::string& extension : format.extensions) {
            patterns << QStringLiteral("*.") + QString::fromStdString(extension);
        }
        for (const std::string& file : format.files) {
            patterns << QString::fromStdString(file);
        }
        all << patterns;
        each << QStringLiteral("%1 (%2)").arg(QCoreApplication::translate("Formats", format.name.c_str()),
                                              patterns.join(QLatin1Char(' ')));
    }
    all << unnamedDicom();
    each.prepend(fileDialogsText("All files (*)"));
    each.prepend(fileDialogsText("Images (%1)").arg(all.join(QLatin1Char(' '))));
    each.append(fileDialogsText("DICOM, also without an extension (*)"));
    return each.join(QStringLiteral(";;"));
}

/// The endings in a file type: "nii.gz" and "nii" for "NIfTI (*.nii.gz *.nii)".
QStringList endingsIn(const QString& filter) {
    static const QRegularExpression kPattern(QStringLiteral("\\*\\.([\\w.]+)"));
    QStringList endings;
    for (auto match = kPattern.globalMatch(filter); match.hasNext();) {
        endings << match.next().captured(1).toLower();
    }
    endings.removeDuplicates();
    return endings;
}

/// Whether a file of these types can have this name.
bool acceptsName(QWidget& parent, const QString& path, const QString& filter) {
    QStringList endings;
    std::vector<std::string> names;
    for (const QString& each : endingsIn(filter)) {
        endings << QLatin1Char('.') + each;
        names.push_back(endings.constLast().toStdString());
    }
    const std::vector<std::string_view> written(names.begin(), names.end());
    if (written.empty() || endingProblem(QFileInfo(path).filesystemFilePath(), written).empty()) {
        return true;
    }
    QMessageBox::warning(&parent, parent.windowTitle(),
                         fileDialogsText("%1 is the name of another format. The name must end in %2.")
                             .arg(QFileInfo(path).fileName(), endings.join(QStringLiteral(", "))));
    return false;
}

/// Gives the name in a save dialog the ending of another file type.
void changeEnding(QFileDialog& dialog, const QString& filter) {
    const QStringList endings = endingsIn(filter);
    const QString before = QLatin1Char('.') + dialog.defaultSuffix();
    if (endings.isEmpty() || endings.contains(dialog.defaultSuffix())) {
        return;
    }
    const QStringList files = dialog.selectedFiles();
    const QString name = files.isEmpty() ? QString() : QFileInfo(files.constFirst()).fileName();
    dialog.setDefaultSuffix(endings.constFirst());
    if (name.endsWith(before, Qt::CaseInsensitive)) {
        dialog.selectFile(name.chopped(before.size()) + QLatin1Char('.') + endings.constFirst());
    }
}

// File types, which are proper names.

constexpr QLatin1String kFitsFilter("FITS (*.fits *.fit *.fts)");

QStringList voxelFilters() {
    return {QStringLiteral("NIfTI (*.nii.gz *.nii)"), QStringLiteral("NRRD (*.nrrd)"),
            QStringLiteral("MetaImage (*.mha)")};
}

/// File type of Zarr; empty in a build without Zarr.
QStringList zarrFilters() {
    return isZarrResult("picture.zarr") ? QStringList{QStringLiteral("OME-Zarr (*.zarr)")} : QStringList();
}

/// File types that hold the values of the result, and PNG and JPEG if it can be saved as it is shown.
QStringList resultFilters(const Models& models, bool asShown) {
    const vm::DocumentViewModel& document = models.document;
    const ImageInfo& info = *document.imageInfo();
    const Output output = document.resultSpec().output;
    const bool isMarks = output == Output::mask || output == Output::labels;
    const bool isInFile = isMarks || (!info.mapping && !info.calibration); // levels are values
    const int bits = document.image()->type() == PixelType::u8 ? 8 : 16;
    QStringList filters{fileDialogsText("TIFF image (*.tif *.tiff)"), QStringLiteral("OME-TIFF (*.ome.tif)")};
    for (const char* type : {"PNG (*.png)", "JPEG (*.jpg *.jpeg)"}) {
        const QString filter = QString::fromLatin1(type);
        const std::string name = "result." + endingsIn(filter).constFirst().toStdString();
        if (!document.isVolume() && (asShown || (isInFile && holdsValues(name, bits, !isMarks)))) {
            filters << filter;
        }
    }
    return filters << voxelFilters() << zarrFilters() << kFitsFilter << QStringLiteral("NumPy (*.npy)");
}

/// Asks whether an image that is shown in colour is saved in colour. @return nothing if cancelled
std::optional<bool> askAboutColours(QWidget& parent) {
    QMessageBox box(QMessageBox::Question, QStringLiteral("Pollard"), fileDialogsText("The image is shown in colour."),
                    QMessageBox::Cancel, &parent);
    box.setObjectName(QStringLiteral("saveColours"));
    QPushButton* shown = box.addButton(fileDialogsText("As &shown (colours)"), QMessageBox::AcceptRole);
    QPushButton* grey = box.addButton(fileDialogsText("&Grey values"), QMessageBox::AcceptRole);
    explain(shown, fileDialogsText("As shown"), fileDialogsText("Save the colours of the view, 8 bits each"));
    explain(grey, fileDialogsText("Grey values"), fileDialogsText("Save the values of the filtered channel"));
    box.setDefaultButton(shown);
    box.exec();
    return box.clickedButton() == shown  ? std::optional(true)
           : box.clickedButton() == grey ? std::optional(false)
                                         : std::nullopt;
}

/// Chooses a typed or selected folder of Zarr instead of showing its contents.
class ImageDialog : public QFileDialog {
public:
    using QFileDialog::QFileDialog;

protected:
    void accept() override {
        const QStringList chosen = selectedFiles();
        const bool isZarr = chosen.size() == 1 && QFileInfo(chosen.front()).isDir() &&
                            isZarrFolder(QFileInfo(chosen.front()).filesystemFilePath());
        isZarr ? done(QDialog::Accepted) : QFileDialog::accept();
    }
};

struct SaveAnswer {
    QString path;
    QString filter; ///< selected filter
};

SaveAnswer askWhere(QWidget& parent, Models& models, const SaveQuestion& question) {
    QFileDialog dialog(&parent, question.title, models.settings.lastDirectory(), question.filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(question.suffix);
    QString name = QString::fromStdString(resultName(QFileInfo(models.document.path()).filesystemFilePath()));
    if (name.endsWith(QLatin1String(".nii"), Qt::CaseInsensitive)) { // of .nii.gz
        name = QFileInfo(name).completeBaseName();
    }
    dialog.selectFile(name + question.ending + QLatin1Char('.') + question.suffix);
    const QStringList filters = dialog.nameFilters();
    const auto own =
        std::ranges::find_if(filters, [&](const QString& each) { return endingsIn(each).contains(question.suffix); });
    if (own != filters.end()) {
        dialog.selectNameFilter(*own);
    }
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog,
                     [&dialog](const QString& filter) { changeEnding(dialog, filter); });
    QString path;
    do {
        if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
            return {};
        }
        path = dialog.selectedFiles().constFirst();
    } while (!acceptsName(parent, path, question.filter));
    models.settings.setLastDirectory(QFileInfo(path).absolutePath());
    return {std::move(path), dialog.selectedNameFilter()};
}

} // namespace

QStringList localFiles(const QMimeData& data) {
    QStringList files;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            files << url.toLocalFile();
        }
    }
    return files;
}

QString askForImage(QWidget& parent, Models& models) {
    ImageDialog dialog(&parent, fileDialogsText("Open an image"), models.settings.lastDirectory(), nameFilters());
    dialog.setOption(QFileDialog::HideNameFilterDetails);
    dialog.setFileMode(QFileDialog::ExistingFile);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
        return {};
    }
    QString path = dialog.selectedFiles().constFirst();
    models.followFolder(path);
    return path;
}

QStringList askForImages(QWidget& parent, Models& models) {
    QStringList paths =
        QFileDialog::getOpenFileNames(&parent, fileDialogsText("Choose images"), models.settings.lastDirectory(),
                                      nameFilters(), nullptr, QFileDialog::HideNameFilterDetails);
    if (!paths.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(paths.constFirst()).absolutePath());
    }
    return paths;
}

QString askWhereToSave(QWidget& parent, Models& models, const SaveQuestion& question) {
    return askWhere(parent, models, question).path;
}

QString volumeFilter() {
    const QStringList filters = voxelFilters() << kFitsFilter << fileDialogsText("TIFF image (*.tif *.tiff)");
    return (filters + zarrFilters()).join(QStringLiteral(";;"));
}

QString vectorFilter() {
    return fileDialogsText("GeoPackage, FlatGeobuf or CSV with WKT by the name (*.gpkg *.fgb *.csv)");
}

QString askForFolder(QWidget& parent, Models& models, const QString& title) {
    QFileDialog dialog(&parent, title, models.settings.lastDirectory());
    dialog.setFileMode(QFileDialog::Directory);
    dialog.setOption(QFileDialog::ShowDirsOnly);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
        return {};
    }
    QString folder = dialog.selectedFiles().constFirst();
    models.settings.setLastDirectory(folder);
    return folder;
}

ResultTarget askWhereToSaveResult(QWidget& parent, Models& models, bool canShow) {
    const std::string_view kind = nameOf(models.document.resultSpec().output);
    const QString ending = QLatin1Char('_') + QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
    const std::string format = models.document.imageInfo()->format;
    const bool isVolume = models.document.isVolume();
    const bool isZarr = format.starts_with("OME-Zarr") && isZarrResult("picture.zarr");
    const QString suffix = isVolume && (format.starts_with("NIfTI") || format == "DICOM") ? QStringLiteral("nii.gz")
                           : isVolume && format == "NRRD"                                 ? QStringLiteral("nrrd")
                           : isVolume && format == "MetaImage"                            ? QStringLiteral("mha")
                           : isVolume && format == "FITS"                                 ? QStringLiteral("fits")
                           : isZarr                                                       ? QStringLiteral("zarr")
                                                                                          : QStringLiteral("tif");
    const vm::CompositeViewModel& composite = models.display.composite();
    const bool isColoured = canShow && !isVolume && composite.isPossible() && composite.isOn();
    const QStringList filters = resultFilters(models, isColoured);
    ResultTarget target{
        askWhereToSave(parent, models,
                       {fileDialogsText("Save the result"), filters.join(QStringLiteral(";;")), ending, suffix}),
        false};
    const std::filesystem::path file = QFileInfo(target.path).filesystemFilePath();
    const bool isImage = isImageFile(file);
    if (target.path.isEmpty() || !isColoured || (!isImage && rgbFormatOf(file) != RgbFormat::tiff)) {
        return target;
    }
    const QStringList grey = resultFilters(models, false);
    const bool holdsGrey = std::ranges::any_of(grey, [&](const QString& filter) {
        return endingsIn(filter).contains(QFileInfo(target.path).suffix().toLower());
    });
    const std::optional<bool> asShown = holdsGrey ? askAboutColours(parent) : std::optional(true);
    target.asShown = asShown.value_or(false);
    return asShown ? target : ResultTarget{};
}

QString askForImage(QWidget& parent, const QString& path) {
    QString chosen = path;
    for (;;) {
        const ImageList list = imagesListedBy(QFileInfo(chosen).filesystemFilePath());
        const bool isPlate = list.title == "Wells" || list.title == "Fields of the well";
        if (list.paths.size() < 2 || isPlate) { // a plate has a map
            return chosen;
        }
        QStringList names;
        for (const std::filesystem::path& each : list.paths) {
            names << QString::fromStdString(each.lexically_relative(list.folder).generic_string());
        }
        bool isChosen = false;
        const QString name = QInputDialog::getItem(&parent, fileDialogsText("Open an image"),
                                                   fileDialogsText("Image of the folder"), names, 0, false, &isChosen);
        if (!isChosen) {
            return {};
        }
        chosen = QString::fromStdString(list.paths[static_cast<std::size_t>(names.indexOf(name))].string());
    }
}

GeoJsonChoice askForRegion(QWidget& parent, Models& models) {
    const QString inDegrees = fileDialogsText("GeoJSON in longitude and latitude (*.geojson *.json)");
    QString filters = fileDialogsText("Polygons: GeoJSON and vector files (*.geojson *.json *.gpkg *.shp *.fgb *.csv);;"
                                      "GeoJSON (*.geojson *.json);;All files (*)");
    if (models.map.map()) {
        filters += QStringLiteral(";;") + inDegrees;
    }
    QString chosen;
    QString path = QFileDialog::getOpenFileName(&parent, fileDialogsText("Load region"),
                                                models.settings.lastDirectory(), filters, &chosen);
    if (!path.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(path).absolutePath());
    }
    return {std::move(path), chosen == inDegrees ? GeoJsonIn::degrees : GeoJsonIn::pixels};
}

GeoJsonChoice askWhereToSaveGeoJson(QWidget& parent, Models& models, SaveQuestion question) {
    const bool hasMap = models.map.map() != nullptr;
    const QString inPixels =
        hasMap ? fileDialogsText("GeoJSON in pixels of the image (*.geojson)") : fileDialogsText("GeoJSON (*.geojson)");
    question.filter =
        hasMap ? fileDialogsText("GeoJSON in longitude and latitude (*.geojson)") + QStringLiteral(";;") + inPixels
               : inPixels;
    question.suffix = QStringLiteral("geojson");
    SaveAnswer answer = askWhere(parent, models, question);
    return {std::move(answer.path), hasMap && answer.filter != inPixels ? GeoJsonIn::degrees : GeoJsonIn::pixels};
}

GeoJsonChoice askWhereToSaveRegion(QWidget& parent, Models& models) {
    return askWhereToSaveGeoJson(parent, models, {fileDialogsText("Save region"), {}, {}, {}});
}

} // namespace pollard::app
