#include "window/welcome_page.hpp"

#include "io/image_file.hpp"
#include "recent_files_model.hpp"
#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"

#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QPushButton>

namespace pollard::app {
namespace {

constexpr int kIconSize = 96;
constexpr int kRecentShown = 5;

} // namespace

WelcomePage::WelcomePage(QAction& open, QAction& firstSteps, vm::RecentFilesModel& recent, QWidget* parent)
    : QWidget(parent), recent_(recent), list_(new QWidget(this)), listLayout_(new QVBoxLayout(list_)) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(kPanelSpacing);
    layout->addStretch(3);

    auto* icon = new QLabel(this);
    icon->setPixmap(QIcon(QStringLiteral(":/pollard/icons/pollard-256.png"))
                        .pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    icon->setAlignment(Qt::AlignCenter);
    layout->addWidget(icon);
    layout->addSpacing(kPanelSpacing);

    auto* title = new QLabel(tr("Open an image, or drop one here"), this);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    title->setAlignment(Qt::AlignCenter);
    layout->addWidget(title);

    QStringList formats;
    for (const FormatFilter& format : readableFormats()) {
        formats << QString::fromStdString(format.name);
    }
    auto* hint = new CaptionLabel(formats.join(QStringLiteral(", ")), this);
    hint->setAlignment(Qt::AlignCenter);
    layout->addWidget(hint);
    layout->addSpacing(kPanelSpacing);

    auto* button = new QPushButton(themedIcon(QStringLiteral("open")), tr("Open image…"), this);
    button->setObjectName(QStringLiteral("welcomeOpen"));
    button->setDefault(true);
    button->setMinimumHeight(34);
    button->setMinimumWidth(150);
    explain(button, tr("Open image"), open.toolTip());
    connect(button, &QPushButton::clicked, &open, &QAction::trigger);
    layout->addWidget(button, 0, Qt::AlignHCenter);

    auto* learn = new QPushButton(tr("First steps: five tutorials"), this);
    learn->setObjectName(QStringLiteral("welcomeFirstSteps"));
    learn->setFlat(true);
    learn->setCursor(Qt::PointingHandCursor);
    explain(learn, tr("First steps"), firstSteps.toolTip());
    connect(learn, &QPushButton::clicked, &firstSteps, &QAction::trigger);
    layout->addWidget(learn, 0, Qt::AlignHCenter);

    listLayout_->setSpacing(2);
    layout->addSpacing(kPanelSpacing * 2);
    layout->addWidget(list_, 0, Qt::AlignHCenter);
    layout->addStretch(4);
    connect(&recent_, &vm::RecentFilesModel::changed, this, &WelcomePage::showRecent);
    showRecent();
}

void WelcomePage::showRecent() {
    while (QLayoutItem* item = listLayout_->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->deleteLater();
        }
        delete item;
    }
    list_->setVisible(!recent_.isEmpty());
    if (recent_.isEmpty()) {
        return;
    }
    auto* heading = new CaptionLabel(tr("Recent"), list_);
    heading->setAlignment(Qt::AlignCenter);
    listLayout_->addWidget(heading);
    for (const QString& path : recent_.paths().mid(0, kRecentShown)) {
        auto* link = new QPushButton(QFileInfo(path).fileName(), list_);
        link->setFlat(true);
        link->setCursor(Qt::PointingHandCursor);
        explain(link, tr("Open %1").arg(QFileInfo(path).fileName()), QDir::toNativeSeparators(path));
        connect(link, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
        listLayout_->addWidget(link, 0, Qt::AlignHCenter);
    }
}

} // namespace pollard::app
