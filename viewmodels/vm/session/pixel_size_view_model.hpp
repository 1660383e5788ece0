#pragma once

#include "io/image_file.hpp"

#include <QLineF>
#include <QObject>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class EditHistory;

/// The size of a pixel of the open picture as a person enters it: as numbers, or by a line over something of known
/// length. It holds for this picture, or for all pictures of its folder whose files state none.
class PixelSizeViewModel : public QObject {
    Q_OBJECT

public:
    enum class Scope { picture, folder };

    /// @param document,history must outlive this
    PixelSizeViewModel(DocumentViewModel& document, EditHistory& history, QObject* parent = nullptr);

    [[nodiscard]] bool isAvailable() const; ///< a picture is open
    /// Sides of a pixel of the picture that is open, in unit(); 0 where they are unknown or no lengths.
    [[nodiscard]] double width() const { return present().x; }
    [[nodiscard]] double height() const { return present().y; }
    /// One of unitNames().
    [[nodiscard]] QString unit() const;
    [[nodiscard]] static QStringList unitNames();
    [[nodiscard]] bool isSquare() const;
    [[nodiscard]] Scope scope() const noexcept { return scope_; }
    /// The source of the size, and the size that the file states where it is another one: "set by hand; file: 4.05 µm".
    [[nodiscard]] QString originText() const;
    /// A size that was set is in use.
    [[nodiscard]] bool canRevert() const;

    /// A line is drawn over the picture.
    [[nodiscard]] bool isMeasuring() const noexcept { return measuring_; }
    /// The line, px of the picture.
    [[nodiscard]] std::optional<QLineF> line() const noexcept { return line_; }
    /// Side of a square pixel, if so many of them are so long; 0 if that is no size.
    [[nodiscard]] static double sideOf(double length, double pixels) noexcept;

    static constexpr double kShortestLine = 1; ///< px

public slots:
    /// Sides of a pixel of the picture that is open; sides out of range are refused.
    void setSize(double width, double height, const QString& unit);
    /// Of square pixels both sides.
    void setWidth(double width);
    void setHeight(double height);
    /// The numbers stay.
    void setUnit(const QString& unit);
    /// The pictures that the size that is set, and the next one, hold for.
    void setScope(pollard::vm::PixelSizeViewModel::Scope scope);
    /// Takes back the size that was set for this picture, or else for its folder.
    void revert();

    void setMeasuring(bool measuring);
    void beginLine(const QPointF& image);
    /// @param straight to the side, or up and down, whatever is nearer
    void moveLine(const QPointF& image, bool straight);
    /// Asks for the length of the line, if there is one; ends with lineDrawn().
    void finishLine();
    void forgetLine();

signals:
    void changed(); ///< any of size, unit, scope, origin
    void measuringChanged();
    void lineChanged();
    /// @param pixels length of the line; 0: it is to be typed
    void lineDrawn(double pixels);

private:
    /// Of a pixel of the picture that is open; sides of 0 if there is none.
    [[nodiscard]] PixelSize present() const;
    void onDocument();
    void adopt();

    DocumentViewModel& document_;
    EditHistory& history_;
    Scope scope_ = Scope::picture;
    QString path_; ///< of the picture that the scope was chosen for
    QString unit_; ///< where no size says another one
    bool measuring_ = false;
    std::optional<QLineF> line_;
};

} // namespace pollard::vm
