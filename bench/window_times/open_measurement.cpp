#include "window_times/open_measurement.hpp"

#include "canvas/canvas.hpp"
#include "window/main_window.hpp"

#include "image/image.hpp"

#include <QEvent>
#include <QFile>

#include <ctime>
#include <unistd.h>

namespace pollard::app {
namespace {

constexpr int kPatience = 600000; ///< ms

/// Time since the start of the process in ms, by the clock of the kernel with its ticks of 10 ms; from proc(5).
double processAge() {
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QByteArray line = file.readAll();
    constexpr int kStart = 19; // of the fields after the name, which ends with ')'
    const double ticks = line.mid(line.lastIndexOf(')') + 2).split(' ').value(kStart).toDouble();
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (static_cast<double>(now.tv_sec) - ticks / static_cast<double>(sysconf(_SC_CLK_TCK))) * 1e3 +
           static_cast<double>(now.tv_nsec) * 1e-6;
}

} // namespace

OpenMeasurement::OpenMeasurement(Models& models, MainWindow& window, QObject* parent)
    : Measurement(models, window, QStringLiteral("opening"), QStringLiteral("no image"), kPatience, parent),
      early_(window.findChild<QLabel*>(QStringLiteral("earlyImage"))) {
    window.installEventFilter(this);
    if (early_ != nullptr) {
        early_->installEventFilter(this);
    }
    connect(&models.document, &vm::DocumentViewModel::imageChanged, this, [this] {
        if (this->models().document.hasImage() && tree_ == 0) {
            tree_ = processAge();
        }
    });
    if (window.canvas() != nullptr) {
        await();
        connect(window.canvas(), &GlSurface::frameSwapped, this, [this] {
            if (tree_ > 0 && image_ == 0) {
                image_ = processAge();
            }
        });
    }
}

bool OpenMeasurement::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint) {
        double& seen = watched == early_ ? first_ : window_;
        const bool isEmpty = watched == early_ && early_->pixmap(Qt::ReturnByValue).isNull();
        seen = seen == 0 && !isEmpty ? processAge() : seen;
    }
    return Measurement::eventFilter(watched, event);
}

void OpenMeasurement::begin() {
    live_ = processAge();
    finish({});
}

QString OpenMeasurement::report() const {
    const auto text = [](double time) {
        return time > 0 ? QStringLiteral("%1 ms").arg(time, 0, 'f', 0) : QStringLiteral("none");
    };
    const auto image = models().document.image();
    return QStringLiteral(
               "open: from the start of the process to the window %1, early image %2, tree %3, image %4, all "
               "results %5; %6; %7 x %8%9, %10 bit")
        .arg(text(window_), text(first_), text(tree_), text(image_), text(live_),
             models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(slicesText(models().document))
        .arg(bitsOf(image->type()));
}

} // namespace pollard::app
