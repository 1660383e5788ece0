#pragma once

#include "vm/base/change.hpp"

#include "io/image_file.hpp"

#include <QLineF>
#include <QObject>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>

namespace pollard::vm {

class DocumentViewModel;
class EditHistory;

/// The pixel size of the open image as entered by the user: by numbers, or by a line over an object of known length.
/// It applies to this image, or to all images of its folder without a size in their files.
class PixelSizeViewModel : public QObject {
    Q_OBJECT

public:
    enum class Scope { image, folder };

    /// @param document,history must outlive this
    PixelSizeViewModel(DocumentViewModel& document, EditHistory& history, QObject* parent = nullptr);

    [[nodiscard]] bool isAvailable() const; ///< an image is open
    /// Sides of a pixel of the open image, in unit(); 0 if unknown or not lengths.
    [[nodiscard]] double width() const { return present().x; }
    [[nodiscard]] double height() const { return present().y; }
    /// Distance of the slices of the open volume.
    [[nodiscard]] double distance() const { return present().z; }
    [[nodiscard]] bool hasDistance() const; ///< a volume is open
    /// The unit, one of unitNames().
    [[nodiscard]] QString unit() const;
    [[nodiscard]] static QStringList unitNames();
    [[nodiscard]] bool isSquare() const;
    [[nodiscard]] Scope scope() const noexcept { return scope_; }
    /// The source of the size, with the file's size if that differs: "set by hand; file: 4.05 µm".
    [[nodiscard]] QString originText() const;
    /// A size set by the user is in use.
    [[nodiscard]] bool canRevert() const;

    /// A line is being drawn over the image.
    [[nodiscard]] bool isMeasuring() const noexcept { return measuring_; }
    /// The line, px of the image.
    [[nodiscard]] std::optional<QLineF> line() const noexcept { return line_; }
    /// Side of a square pixel if @p pixels px measure @p length; 0 if that is no valid size.
    [[nodiscard]] static double sideOf(double length, double pixels) noexcept;

    static constexpr double kShortestLine = 1; ///< px

public slots:
    /// Sides of a pixel of the open image; sides out of range are rejected.
    /// @param distance of the slices of a volume; 0: as set by the user or stated by the file
    void setSize(double width, double height, const QString& unit, double distance = 0);
    /// Sets the width, or both sides of square pixels.
    void setWidth(double width);
    void setHeight(double height);
    /// Unknown sides are set to this distance, too.
    void setDistance(double distance);
    /// Keeps the numbers.
    void setUnit(const QString& unit);
    /// The images to which the present size, and the next one, applies.
    void setScope(pollard::vm::PixelSizeViewModel::Scope scope);
    /// Removes the size set for this image, or else for its folder.
    void revert();

    void setMeasuring(bool measuring) {
        change(this, measuring_, measuring && isAvailable(), &PixelSizeViewModel::forgetLine,
               &PixelSizeViewModel::measuringChanged);
    }
    void beginLine(const QPointF& image);
    /// @param straight horizontal or vertical, the nearer one
    void moveLine(const QPointF& image, bool straight);
    /// Requests the length of the line, if there is one; ends with lineDrawn().
    void finishLine();
    void forgetLine();

signals:
    void changed(); ///< any of size, unit, scope, origin
    void measuringChanged();
    void lineChanged();
    /// @param pixels length of the line; 0: to be typed
    void lineDrawn(double pixels);

private:
    /// Size of a pixel of the open image; sides of 0 without an image.
    [[nodiscard]] PixelSize present() const;
    /// The distance of slices that the user set, in a unit; 0 without one.
    [[nodiscard]] double statedDistance(const std::string& unit) const;
    void onDocument();
    void adopt();

    DocumentViewModel& document_;
    EditHistory& history_;
    Scope scope_ = Scope::image;
    QString path_; ///< image for which the scope was chosen
    QString unit_; ///< used if the size has no unit
    bool measuring_ = false;
    std::optional<QLineF> line_;
};

} // namespace pollard::vm
