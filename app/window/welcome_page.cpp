#include "window/welcome_page.hpp"

#include "io/image_file.hpp"
#include "theme/icons.hpp"
#include "theme/pixel_ratio.hpp"
#include "vm/image/image_name.hpp"
#include "vm/settings/recent_files_model.hpp"
#include "widgets/panel_parts.hpp"
#include "window/sample_gallery.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kIconSize = 72;
constexpr int kHeightWithIcon = 640; ///< px, of the page
constexpr int kFolderLetters = 40;   ///< of the folder of a recent file
constexpr int kRecentShown = 5;
constexpr int kRecentBesideKept = 3;
constexpr int kRecentHeight = 28; ///< px, of a further one on a high page
constexpr int kKeptShown = 5;

void empty(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide(); // not deleted: it may be handling a click
            item->widget()->deleteLater();
        }
        delete item;
    }
}

/// The folder of a file, with ~ for that of the user.
QString folderText(const QString& path) {
    const QString folder = QFileInfo(path).absolutePath();
    const QString home = QDir::homePath();
    const bool isHome = folder == home || folder.startsWith(home + u'/');
    return QDir::toNativeSeparators(isHome ? u'~' + folder.mid(home.size()) : folder);
}

} // namespace

WelcomePage::WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent)
    : QScrollArea(parent), recent_(recent), icon_(new QLabel), keptList_(new QWidget),
      keptLayout_(new QVBoxLayout(keptList_)), list_(new QWidget), listLayout_(new QGridLayout(list_)),
      gallery_(new SampleGallery) {
    setObjectName(QStringLiteral("welcomePage"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(this);
    setWidget(content);
    auto* layout = new QVBoxLayout(content);
    layout->setSpacing(kPanelSpacing);
    layout->addStretch(3);

    const auto showIcon = [this] {
        icon_->setPixmap(QIcon(QStringLiteral(":/pollard/icons/pollard-256.png"))
                             .pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    };
    showIcon();
    onPixelRatio(this, showIcon);
    icon_->setAlignment(Qt::AlignCenter);
    layout->addWidget(icon_);

    auto* title = new QLabel(tr("Open an image, or drop one here"), content);
    title->setWordWrap(true);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    title->setAlignment(Qt::AlignCenter);
    layout->addWidget(title);

    QStringList formats;
    for (const FormatFilter& format : readableFormats()) {
        formats << QCoreApplication::translate("Formats", format.name.c_str());
    }
    auto* hint = new CaptionLabel(formats.join(QStringLiteral(", ")), content);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    layout->addWidget(hint);
    layout->addSpacing(kPanelSpacing);

    auto* button = new QPushButton(themedIcon(QStringLiteral("open")), tr("Open image…"), content);
    button->setObjectName(QStringLiteral("welcomeOpen"));
    button->setDefault(true);
    button->setMinimumHeight(34);
    button->setMinimumWidth(150);
    explain(button, tr("Open image"), open.toolTip());
    connect(button, &QPushButton::clicked, &open, &QAction::trigger);
    layout->addWidget(button, 0, Qt::AlignHCenter);

    auto* learn = new QPushButton(tr("First steps: six tutorials"), content);
    learn->setObjectName(QStringLiteral("welcomeFirstSteps"));
    learn->setFlat(true);
    learn->setCursor(Qt::PointingHandCursor);
    explain(learn, tr("First steps"), firstSteps.toolTip());
    connect(learn, &QPushButton::clicked, &firstSteps, &QAction::trigger);
    layout->addWidget(learn, 0, Qt::AlignHCenter);

    keptList_->setObjectName(QStringLiteral("welcomeKept"));
    keptList_->hide();
    keptLayout_->setSpacing(2);
    listLayout_->setSpacing(2);
    layout->addSpacing(kPanelSpacing);
    layout->addWidget(keptList_, 0, Qt::AlignHCenter);
    layout->addWidget(list_, 0, Qt::AlignHCenter);
    auto* samples = new CaptionLabel(tr("Try a sample"), content);
    samples->setAlignment(Qt::AlignCenter);
    layout->addWidget(samples);
    layout->addWidget(gallery_, 0, Qt::AlignHCenter);
    layout->addStretch(4);
    connect(gallery_, &SampleGallery::chosen, this, &WelcomePage::sampleChosen);
    connect(&recent_, &vm::RecentFilesModel::changed, this, &WelcomePage::showRecent);
    showRecent();
}

void WelcomePage::showKept(vm::StoredSessions& kept) {
    kept_ = &kept;
    connect(kept_, &vm::StoredSessions::entriesChanged, this, &WelcomePage::fillKept);
    fillKept();
}

void WelcomePage::fillKept() {
    empty(*keptLayout_);
    showRecent();
    const QList<vm::StoredSessions::Entry> entries =
        kept_ != nullptr ? kept_->entries().mid(0, kKeptShown) : QList<vm::StoredSessions::Entry>();
    keptList_->setVisible(!entries.isEmpty());
    if (entries.isEmpty()) {
        return;
    }
    auto* heading = new CaptionLabel(tr("Kept work"), keptList_);
    heading->setAlignment(Qt::AlignCenter);
    keptLayout_->addWidget(heading);
    for (const vm::StoredSessions::Entry& entry : entries) {
        const QString date = QLocale().toString(entry.time, QLocale::ShortFormat);
        auto* row = new QWidget(keptList_);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        auto* go = new QPushButton(
            tr("Continue %1: %2").arg(entry.name(), entry.summary).replace(u'&', QLatin1String("&&")), row);
        go->setObjectName(QStringLiteral("keptGoOn"));
        go->setFlat(true);
        go->setCursor(Qt::PointingHandCursor);
        explain(go, tr("Continue %1, kept on %2").arg(entry.name(), date), QDir::toNativeSeparators(entry.picture));
        connect(go, &QPushButton::clicked, this, [this, path = entry.path] { emit keptChosen(path); });
        auto* discard = new QToolButton(row);
        discard->setObjectName(QStringLiteral("keptDiscard"));
        discard->setIcon(themedIcon(QStringLiteral("delete")));
        discard->setAutoRaise(true);
        explain(discard, tr("Discard the work on %1").arg(entry.name()), tr("Discard this work; the picture stays"));
        connect(discard, &QToolButton::clicked, this, [this, path = entry.path] { emit keptDiscarded(path); });
        line->addWidget(go);
        line->addWidget(new CaptionLabel(date, row));
        line->addWidget(discard);
        keptLayout_->addWidget(row, 0, Qt::AlignHCenter);
    }
}

void WelcomePage::showRecent() {
    empty(*listLayout_);
    list_->setVisible(!recent_.isEmpty());
    if (recent_.isEmpty()) {
        return;
    }
    auto* heading = new CaptionLabel(tr("Recent"), list_);
    heading->setAlignment(Qt::AlignCenter);
    listLayout_->addWidget(heading, 0, 0, 1, 2);
    int row = 1;
    const bool isAlone = kept_ == nullptr || kept_->entries().isEmpty();
    for (const QString& path : recent_.paths().mid(0, (isAlone ? kRecentShown : kRecentBesideKept) + furtherRecent_)) {
        auto* link = new QPushButton(vm::imageName(path), list_);
        link->setFlat(true);
        link->setCursor(Qt::PointingHandCursor);
        explain(link, tr("Open %1").arg(vm::imageName(path)), QDir::toNativeSeparators(path));
        connect(link, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
        const QString place = folderText(path);
        auto* folder = new CaptionLabel(
            fontMetrics().elidedText(place, Qt::ElideMiddle, kFolderLetters * fontMetrics().averageCharWidth()), list_);
        folder->setObjectName(QStringLiteral("recentFolder"));
        folder->setToolTip(place);
        listLayout_->addWidget(link, row, 0);
        listLayout_->addWidget(folder, row++, 1);
    }
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    icon_->setVisible(height() >= kHeightWithIcon);
    const int further = std::clamp((height() - kHeightWithIcon) / kRecentHeight, 0, vm::RecentFilesModel::kMaxFiles);
    if (std::exchange(furtherRecent_, further) != further) {
        showRecent();
    }
    const QMargins margins = widget()->layout()->contentsMargins();
    gallery_->fitTo(viewport()->width() - margins.left() - margins.right());
}

} // namespace pollard::app
