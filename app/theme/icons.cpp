#include "theme/icons.hpp"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

namespace pollard::app {
namespace {

/// The colour in the SVG files that is replaced.
constexpr auto kInk = "#000000";

class ThemedIconEngine : public QIconEngine {
public:
    explicit ThemedIconEngine(QByteArray drawing) : drawing_(std::move(drawing)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const QPalette palette = QApplication::palette();
        QColor ink =
            palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        if (mode == QIcon::Selected || (state == QIcon::On && mode != QIcon::Disabled)) {
            ink = palette.color(QPalette::HighlightedText);
        }
        QByteArray drawing = drawing_;
        drawing.replace(kInk, ink.name().toLatin1());
        QSvgRenderer(drawing).render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new ThemedIconEngine(drawing_); }

private:
    QByteArray drawing_;
};

} // namespace

QIcon themedIcon(const QString& name) {
    QFile file(QStringLiteral(":/pollard/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QIcon(new ThemedIconEngine(file.readAll()));
}

} // namespace pollard::app
