#include "theme/theme.hpp"

#include <QApplication>
#include <QFile>
#include <QMainWindow>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

#include <utility>

namespace pollard::app {
namespace {

using Theme = vm::SettingsViewModel::Theme;

struct Colours {
    QRgb window, base, alternate, button, text, disabled, accent, onAccent, link, light, mid, dark;
};

constexpr Colours kLight{0xfff5f6f8, 0xffffffff, 0xffeef0f3, 0xfffdfdfe, 0xff1c2126, 0xff9aa1a9,
                         0xff137a66, 0xffffffff, 0xff0f6a9a, 0xffffffff, 0xffc9ced5, 0xffa9b0b9};
constexpr Colours kDark{0xff202327, 0xff16181b, 0xff1b1e22, 0xff2c3036, 0xffe6e8eb, 0xff6d747d,
                        0xff2b9b7d, 0xffffffff, 0xff6cb8e6, 0xff3a3f46, 0xff3a3f46, 0xff111315};

/// All texts have a contrast of 7:1 or more (WCAG 1.4.6); edges have the colour of text.
constexpr Colours kContrast{0xff000000, 0xff000000, 0xff101010, 0xff000000, 0xffffffff, 0xffb8b8b8,
                            0xffffd60a, 0xff000000, 0xff6fd3ff, 0xffffffff, 0xffffffff, 0xffffffff};

QPalette makePalette(const Colours& c) {
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(c.window));
    palette.setColor(QPalette::WindowText, QColor(c.text));
    palette.setColor(QPalette::Base, QColor(c.base));
    palette.setColor(QPalette::AlternateBase, QColor(c.alternate));
    palette.setColor(QPalette::Text, QColor(c.text));
    palette.setColor(QPalette::PlaceholderText, QColor(c.disabled));
    palette.setColor(QPalette::Button, QColor(c.button));
    palette.setColor(QPalette::ButtonText, QColor(c.text));
    palette.setColor(QPalette::BrightText, QColor(c.onAccent));
    palette.setColor(QPalette::ToolTipBase, QColor(c.base));
    palette.setColor(QPalette::ToolTipText, QColor(c.text));
    palette.setColor(QPalette::Highlight, QColor(c.accent));
    palette.setColor(QPalette::HighlightedText, QColor(c.onAccent));
    palette.setColor(QPalette::Link, QColor(c.link));
    palette.setColor(QPalette::LinkVisited, QColor(c.link));
    palette.setColor(QPalette::Light, QColor(c.light));
    palette.setColor(QPalette::Midlight, QColor(c.button));
    palette.setColor(QPalette::Mid, QColor(c.mid));
    palette.setColor(QPalette::Dark, QColor(c.dark));
    palette.setColor(QPalette::Shadow, QColor(0, 0, 0, 110));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, QColor(c.disabled));
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(c.mid));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(c.disabled));
    return palette;
}

/// Style and brightness of the platform before applyTheme().
struct PlatformLook {
    QString style = QApplication::style()->objectName();
    bool dark = isDark(QApplication::palette());
};

bool isFusion(const QString& style) { return style.compare(QLatin1String("fusion"), Qt::CaseInsensitive) == 0; }

QString contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Replaces "@outline", a colour that has no name in style sheets of Qt 6.4, and "@ground" in the names of icons.
QString styleSheet(Theme theme) {
    QString sheet = contentOf(QStringLiteral(":/pollard/style/pollard.qss"));
    if (theme == Theme::contrast) {
        sheet += contentOf(QStringLiteral(":/pollard/style/contrast.qss"));
    }
    sheet.replace(QStringLiteral("@outline"), QApplication::palette().color(QPalette::PlaceholderText).name());
    sheet.replace(QStringLiteral("@ground"),
                  isDark(QApplication::palette()) ? QStringLiteral("dark") : QStringLiteral("light"));
    return sheet;
}

} // namespace

void applyMotion(QMainWindow& window, bool reduced) {
    window.setAnimated(!reduced);
    // When motion is enabled again, the platform's settings for menus and tooltips apply at the next start.
    if (reduced) {
        for (const auto effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip,
                                  Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox}) {
            QApplication::setEffectEnabled(effect, false);
        }
    }
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
}

QColor secondaryText(const QPalette& palette) {
    const QColor text = palette.color(QPalette::WindowText);
    const QColor ground = palette.color(QPalette::Window);
    constexpr double kStrength = 0.68; // contrast is still 4.5:1 on both backgrounds
    const auto mix = [](int a, int b) { return static_cast<int>(a * kStrength + b * (1 - kStrength)); };
    return {mix(text.red(), ground.red()), mix(text.green(), ground.green()), mix(text.blue(), ground.blue())};
}

QColor hairline(const QPalette& palette) {
    QColor line = palette.color(QPalette::WindowText);
    line.setAlphaF(0.14F);
    return line;
}

void applyTheme(Theme theme) {
    static const PlatformLook platform;
    const bool native = theme == Theme::system && !isFusion(platform.style);
    const QString style = native ? platform.style : QStringLiteral("Fusion");
    if (native) {
        QApplication::setPalette(QPalette());
    } else {
        const bool dark = theme == Theme::dark || (theme == Theme::system && platform.dark);
        const QPalette palette = makePalette(theme == Theme::contrast ? kContrast : dark ? kDark : kLight);
        QApplication::setPalette(palette);
        QToolTip::setPalette(palette);
    }
    QApplication::setStyle(QStyleFactory::create(style));
    // After the style, which the sheet wraps; resolves palette(...) again.
    qApp->setStyleSheet(native ? QString() : styleSheet(theme));
}

namespace {

class PixelRatioWatch : public QObject {
public:
    PixelRatioWatch(QWidget* widget, std::function<void()> update) : QObject(widget), update_(std::move(update)) {
        widget->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (changesPixelRatio(*event)) {
            update_();
        }
        return false;
    }

private:
    std::function<void()> update_;
};

} // namespace

bool changesPixelRatio(const QEvent& event) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    if (event.type() == QEvent::DevicePixelRatioChange) {
        return true;
    }
#endif
    return event.type() == QEvent::ScreenChangeInternal;
}

void onPixelRatio(QWidget* widget, std::function<void()> update) { new PixelRatioWatch(widget, std::move(update)); }

} // namespace pollard::app
