#include "shell/help_browser.hpp"

#include "widgets/panel_parts.hpp"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextFrame>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr auto kFolder = ":/pollard/help/";
constexpr auto kFirstPage = "window";
constexpr int kPageMargin = 18; ///< px
constexpr QSize kFirstSize(1040, 720);
constexpr int kListWidth = 270;
constexpr int kMostMarks = 100; ///< of a word
constexpr float kMarkOpacity = 0.35F;

QString contentOf(const QString& page) {
    QFile file(QLatin1String(kFolder) + page + QStringLiteral(".md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Pages about the inside of the program, which come last.
bool isTechnical(const QString& page) {
    static const QStringList kTechnical{QStringLiteral("algorithms"), QStringLiteral("algorithms-components"),
                                        QStringLiteral("algorithms-snakes"), QStringLiteral("benchmarks"),
                                        QStringLiteral("tiff-conformance")};
    return kTechnical.contains(page);
}

QStringList pagesInOrder() {
    QStringList pages;
    for (const char* page :
         {"tutorials",       "channel-tutorials", "window",   "window-channels", "window-files", "objects-window",
          "contours-window", "volumes-window",    "inspect",  "tree-panels",     "analyses",     "objects",
          "places",          "contours",          "sessions", "channels",        "volumes",      "attributes",
          "presets",         "recipe-file",       "teach",    "lessons"}) {
        pages << QLatin1String(page);
    }
    for (const QString& file : QDir(QLatin1String(kFolder)).entryList({QStringLiteral("*.md")}, QDir::Files)) {
        const QString page = QFileInfo(file).completeBaseName();
        if (!pages.contains(page)) {
            pages << page;
        }
    }
    std::stable_partition(pages.begin(), pages.end(), [](const QString& page) { return !isTechnical(page); });
    return pages;
}

} // namespace

HelpPageView::HelpPageView(QWidget* parent) : QTextBrowser(parent) {
    setObjectName(QStringLiteral("helpText"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(false); // Tab moves between links
    document()->setDocumentMargin(kPageMargin);
    explain(this, tr("Page"), tr("Tab goes from link to link, Return follows one"));
}

QVariant HelpPageView::loadResource(int type, const QUrl& name) {
    QVariant resource = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) {
        return resource;
    }
    QImage image(QLatin1String(kFolder) + QFileInfo(name.path()).fileName());
    const int room = viewport()->width() - 2 * kPageMargin;
    if (image.width() > room && room > 0) {
        const qreal density = devicePixelRatioF();
        image =
            image.scaledToWidth(std::min(image.width(), static_cast<int>(room * density)), Qt::SmoothTransformation);
        image.setDevicePixelRatio(std::max(1.0, image.width() / static_cast<double>(room)));
    }
    return image;
}

bool HelpPageView::showHeading(const QString& anchor) {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && vm::headingAnchor(block.text()) == anchor) {
            setTextCursor(QTextCursor(block));
            verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect().top() - kPageMargin);
            return true;
        }
    }
    return false;
}

void HelpPageView::mark(const QStringList& words) {
    QTextCharFormat format;
    QColor colour = palette().color(QPalette::Highlight);
    colour.setAlphaF(kMarkOpacity);
    format.setBackground(colour);
    QTextBlock after = textCursor().block().next();
    while (after.isValid() && after.blockFormat().headingLevel() == 0) {
        after = after.next();
    }
    const int end = after.isValid() ? after.position() : document()->characterCount();
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : words) {
        QTextCursor at = document()->find(word, textCursor());
        for (int count = 0; !at.isNull() && at.position() < end && count < kMostMarks; ++count) {
            marks.append({at, format});
            at = document()->find(word, at);
        }
    }
    setExtraSelections(marks);
    const auto first = std::ranges::min_element(
        marks, {}, [](const QTextEdit::ExtraSelection& each) { return each.cursor.position(); });
    if (first != marks.end()) {
        const int below = cursorRect(first->cursor).bottom() - viewport()->height();
        if (below > 0) {
            verticalScrollBar()->setValue(verticalScrollBar()->value() + below + viewport()->height() / 2);
        }
    }
}

HelpBrowser::HelpBrowser(QWidget* parent)
    : QDialog(parent), query_(new QLineEdit), found_(new QListWidget), text_(new HelpPageView),
      back_(new QPushButton(tr("&Back"))) {
    setObjectName(QStringLiteral("helpBrowser"));
    setWindowTitle(tr("Pollard help"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    for (const QString& page : pagesInOrder()) {
        index_.add(page, contentOf(page), isTechnical(page));
    }
    query_->setObjectName(QStringLiteral("helpQuery"));
    query_->setPlaceholderText(tr("Search the help"));
    query_->setClearButtonEnabled(true);
    explain(query_, tr("Search"), tr("Finds sections that contain all of these words"));
    found_->setObjectName(QStringLiteral("helpFound"));
    found_->setWordWrap(true);
    found_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    explain(found_, tr("Pages"), tr("Pages, or the sections found"));
    explain(back_, tr("Back"), tr("The previous page"));
    back_->setObjectName(QStringLiteral("helpBack"));
    back_->setAutoDefault(false);

    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPanelSpacing);
    column->addWidget(query_);
    column->addWidget(found_);
    auto* parts = new QSplitter(this);
    parts->addWidget(left);
    parts->addWidget(text_);
    parts->setStretchFactor(1, 1);
    parts->setSizes({kListWidth, kFirstSize.width() - kListWidth});
    parts->setChildrenCollapsible(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(back_, QDialogButtonBox::ActionRole);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(parts, 1);
    layout->addWidget(buttons);
    resizeOnScreen(*this, kFirstSize);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(query_, &QLineEdit::textChanged, this, &HelpBrowser::showFound);
    connect(query_, &QLineEdit::returnPressed, found_, [this] {
        found_->setFocus();
        found_->setCurrentRow(std::max(0, found_->currentRow()));
    });
    connect(found_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) {
            go(item->data(Qt::UserRole).toString());
        }
    });
    connect(text_, &QTextBrowser::anchorClicked, this, &HelpBrowser::follow);
    connect(back_, &QPushButton::clicked, this, [this] {
        if (!visited_.isEmpty()) {
            const QString last = visited_.takeLast();
            place_.clear(); // prevents go() from storing the current place
            go(last);
        }
    });
    showFound();
    showPage(QLatin1String(kFirstPage));
}

void HelpBrowser::showPage(const QString& place) {
    query_->clear();
    go(place);
}

void HelpBrowser::search(const QString& query) {
    query_->setText(query);
    query_->setFocus();
    if (!queryWords().isEmpty() && found_->item(0)->flags().testFlag(Qt::ItemIsEnabled)) {
        found_->setCurrentRow(0);
    }
}

QStringList HelpBrowser::queryWords() const { return query_->text().simplified().split(u' ', Qt::SkipEmptyParts); }

void HelpBrowser::go(const QString& place) {
    const QString page = place.section(u'#', 0, 0);
    const QString anchor = place.section(u'#', 1);
    if (place == place_ || index_.titleOf(page).isEmpty()) {
        text_->mark(queryWords()); // of another search
        return;
    }
    if (!place_.isEmpty()) {
        visited_ << place_;
    }
    place_ = place;
    if (page != page_) {
        page_ = page;
        text_->document()->setBaseUrl(QUrl(QStringLiteral("qrc") + QLatin1String(kFolder)));
        text_->setMarkdown(contentOf(page));
    }
    if (anchor.isEmpty() || !text_->showHeading(anchor)) {
        text_->moveCursor(QTextCursor::Start);
        text_->verticalScrollBar()->setValue(0);
    }
    text_->mark(queryWords());
    showHistory();
    const QSignalBlocker quiet(found_);
    for (int row = 0; row < found_->count(); ++row) {
        const QString shown = found_->item(row)->data(Qt::UserRole).toString();
        if (shown == place || (query_->text().isEmpty() && shown.section(u'#', 0, 0) == page)) {
            found_->setCurrentRow(row);
            break;
        }
    }
}

void HelpBrowser::showHistory() { back_->setEnabled(!visited_.isEmpty()); }

void HelpBrowser::showFound() {
    const QSignalBlocker quiet(found_);
    found_->clear();
    const bool all = query_->text().trimmed().isEmpty();
    for (const vm::HelpSection& section : index_.find(query_->text())) {
        auto* item = new QListWidgetItem(found_);
        item->setText(all || section.heading == section.title
                          ? section.title
                          : QStringLiteral("%1 › %2").arg(section.title, section.heading));
        item->setData(Qt::UserRole, all ? section.page : section.page + u'#' + section.anchor);
        if (all && section.page == page_) {
            found_->setCurrentItem(item);
        }
    }
    if (found_->count() == 0) {
        auto* none = new QListWidgetItem(tr("Nothing found"), found_);
        none->setFlags(Qt::NoItemFlags);
    }
    if (all) {
        text_->mark({});
    }
}

void HelpBrowser::follow(const QUrl& link) {
    if (link.scheme().startsWith(QLatin1String("http"))) {
        QDesktopServices::openUrl(link);
        return;
    }
    if (link.path().contains(QLatin1String("/samples/")) && link.path().endsWith(QLatin1String(".tif"))) {
        emit sampleChosen(QFileInfo(link.path()).fileName());
        return;
    }
    const QString file = QFileInfo(link.path()).completeBaseName();
    const QString page = file.isEmpty() || !link.path().endsWith(QLatin1String(".md")) ? page_ : file;
    go(link.hasFragment() ? page + u'#' + link.fragment() : page);
}

} // namespace pollard::app
