#include "vm/image/image_name.hpp"

#include "batch/input_files.hpp"

#include <QCoreApplication>
#include <QFileInfo>

#include <filesystem>
#include <iterator>

namespace pollard::vm {

QString imageName(const QString& path) {
    constexpr auto kPartsOfField = 3; // row, column and field
    const std::filesystem::path file = QFileInfo(path).filesystemFilePath();
    const std::filesystem::path whole = hierarchyOf(file);
    QString name = QFileInfo(path).fileName();
    if (whole == file || path.isEmpty()) {
        return name;
    }
    const std::filesystem::path place = file.lexically_relative(whole);
    const QString root = QString::fromStdString(whole.filename().string()) + QStringLiteral(" · ");
    if (std::distance(place.begin(), place.end()) != kPartsOfField || *std::next(place.begin()) == "labels") {
        return root + QString::fromStdString(place.generic_string());
    }
    return root + QString::fromStdString(place.parent_path().generic_string()) + QStringLiteral(" · ") +
           QCoreApplication::translate("PictureName", "field %1").arg(name);
}

} // namespace pollard::vm
