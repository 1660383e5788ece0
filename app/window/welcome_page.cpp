#include "window/welcome_page.hpp"

#include "io/image_file.hpp"
#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "vm/image/open_request.hpp"
#include "vm/settings/recent_files_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLocale>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr QSize kImage(112, 84); ///< px
constexpr int kMostColumns = 4;

} // namespace

SampleGallery::SampleGallery(QWidget* parent)
    : QWidget(parent), samples_(QStringLiteral(":/pollard/samples")), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(kPanelSpacing / 2);
    QPixmap nothing(kImage);
    nothing.fill(Qt::transparent);
    for (const vm::SampleList::Sample& sample : vm::SampleList::all()) {
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("trySample-") + sample.file);
        button->setText(sample.title + QLatin1Char('\n') + sample.purpose);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize(kImage);
        button->setIcon(QIcon(nothing)); // the place of the image until it is made
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        explain(button, tr("Open the sample %1").arg(sample.title), tr("%1: %2").arg(sample.title, sample.purpose));
        connect(button, &QToolButton::clicked, this, [this, file = sample.file] { emit chosen(file); });
        buttons_.push_back(button);
    }
    connect(&samples_, &vm::SampleList::thumbnailsMade, this, &SampleGallery::showThumbnails);
    onPixelRatio(this, [this] { makeThumbnails(); });
}

void SampleGallery::fitTo(int width) {
    int widest = 1;
    for (const QToolButton* button : buttons_) {
        widest = std::max(widest, button->sizeHint().width());
    }
    const int columns = std::clamp((width + grid_->spacing()) / (widest + grid_->spacing()), 1, kMostColumns);
    if (columns == columns_) {
        return;
    }
    columns_ = columns;
    for (int i = 0; i < static_cast<int>(buttons_.size()); ++i) {
        grid_->addWidget(buttons_[static_cast<std::size_t>(i)], i / columns, i % columns);
    }
}

void SampleGallery::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (samples_.thumbnails().empty()) {
        makeThumbnails();
    }
}

void SampleGallery::makeThumbnails() {
    samples_.makeThumbnails(static_cast<int>(std::lround(kImage.width() * devicePixelRatioF())));
}

void SampleGallery::showThumbnails() {
    for (std::size_t i = 0; i < std::min(buttons_.size(), samples_.thumbnails().size()); ++i) {
        QPixmap image(kImage * devicePixelRatioF()); // equal sizes, so that the texts are on one line
        image.fill(Qt::transparent);
        const QImage& sample = samples_.thumbnails()[i];
        const QImage fitting = sample.scaled(image.size(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
        QPainter(&image).drawImage((image.width() - fitting.width()) / 2, (image.height() - fitting.height()) / 2,
                                   fitting);
        image.setDevicePixelRatio(devicePixelRatioF());
        buttons_[i]->setIcon(QIcon(image));
    }
}

namespace {

constexpr int kIconSize = 72;
constexpr int kHeightWithIcon = 640; ///< px, of the page
constexpr int kFolderLetters = 40;   ///< of the folder of a recent file
constexpr int kRecentShown = 5;
constexpr int kRecentWithSessions = 3;
constexpr int kRecentHeight = 28; ///< px, of a further one on a high page
constexpr int kSessionsShown = 5;

void empty(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide(); // not deleted: it may be handling a click
            item->widget()->deleteLater();
        }
        delete item;
    }
}

/// The folder of a file, with ~ for the home folder of the user.
QString folderText(const QString& path) {
    const QString folder = QFileInfo(path).absolutePath();
    const QString home = QDir::homePath();
    const bool isHome = folder == home || folder.startsWith(home + u'/');
    return QDir::toNativeSeparators(isHome ? u'~' + folder.mid(home.size()) : folder);
}

} // namespace

WelcomePage::WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent)
    : QScrollArea(parent), recent_(recent), icon_(new QLabel), sessionList_(new QWidget),
      sessionLayout_(new QVBoxLayout(sessionList_)), list_(new QWidget), listLayout_(new QGridLayout(list_)),
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

    sessionList_->setObjectName(QStringLiteral("welcomeKept"));
    sessionList_->hide();
    sessionLayout_->setSpacing(2);
    listLayout_->setSpacing(2);
    layout->addSpacing(kPanelSpacing);
    layout->addWidget(sessionList_, 0, Qt::AlignHCenter);
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

void WelcomePage::showStoredSessions(vm::StoredSessions& sessions) {
    storedSessions_ = &sessions;
    connect(storedSessions_, &vm::StoredSessions::entriesChanged, this, &WelcomePage::listStoredSessions);
    listStoredSessions();
}

void WelcomePage::listStoredSessions() {
    empty(*sessionLayout_);
    showRecent();
    const QList<vm::StoredSessions::Entry> entries = storedSessions_ != nullptr
                                                         ? storedSessions_->entries().mid(0, kSessionsShown)
                                                         : QList<vm::StoredSessions::Entry>();
    sessionList_->setVisible(!entries.isEmpty());
    if (entries.isEmpty()) {
        return;
    }
    auto* heading = new CaptionLabel(tr("Kept work"), sessionList_);
    heading->setAlignment(Qt::AlignCenter);
    sessionLayout_->addWidget(heading);
    for (const vm::StoredSessions::Entry& entry : entries) {
        const QString date = QLocale().toString(entry.time, QLocale::ShortFormat);
        auto* row = new QWidget(sessionList_);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        auto* go = new QPushButton(
            tr("Continue %1: %2").arg(entry.name(), entry.summary).replace(u'&', QLatin1String("&&")), row);
        go->setObjectName(QStringLiteral("keptGoOn"));
        go->setFlat(true);
        go->setCursor(Qt::PointingHandCursor);
        explain(go, tr("Continue %1, kept on %2").arg(entry.name(), date), QDir::toNativeSeparators(entry.image));
        connect(go, &QPushButton::clicked, this, [this, path = entry.path] { emit sessionChosen(path); });
        auto* discard = new QToolButton(row);
        discard->setObjectName(QStringLiteral("keptDiscard"));
        discard->setIcon(themedIcon(QStringLiteral("delete")));
        discard->setAutoRaise(true);
        explain(discard, tr("Discard the work on %1").arg(entry.name()), tr("Discard this work; the image stays"));
        connect(discard, &QToolButton::clicked, this, [this, path = entry.path] { emit sessionDiscarded(path); });
        line->addWidget(go);
        line->addWidget(new CaptionLabel(date, row));
        line->addWidget(discard);
        sessionLayout_->addWidget(row, 0, Qt::AlignHCenter);
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
    const bool isAlone = storedSessions_ == nullptr || storedSessions_->entries().isEmpty();
    for (const QString& path :
         recent_.paths().mid(0, (isAlone ? kRecentShown : kRecentWithSessions) + furtherRecent_)) {
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
