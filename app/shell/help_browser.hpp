#pragma once

#include "vm/base/word_search.hpp"

#include <QDialog>
#include <QTextBrowser>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace pollard::app {

/// A page of the documentation: Markdown from the resources, with images limited to the width of the page.
class HelpPageView : public QTextBrowser {
    Q_OBJECT

public:
    explicit HelpPageView(QWidget* parent = nullptr);

    /// Scrolls to a heading by its anchor. @return whether it exists
    bool showHeading(const QString& anchor);
    /// Marks words from the text cursor to the next heading and scrolls to the first one if it is below the view.
    void mark(const QStringList& words);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

/// Shows the documentation, with a full-text search. Needs no network.
class HelpBrowser : public QDialog {
    Q_OBJECT

public:
    explicit HelpBrowser(QWidget* parent = nullptr);

    /// @param place "inspect" or "inspect#2-see-everything-the-tree"
    void showPage(const QString& place);
    /// Lists the sections that contain all words of @p query, and shows the first one.
    void search(const QString& query);
    [[nodiscard]] QString page() const { return page_; }

signals:
    /// Emitted when a link to a sample image is clicked. @p file is its name without folder.
    void sampleChosen(const QString& file);

private:
    void follow(const QUrl& link);
    void showFound();
    void go(const QString& place);
    void showHistory();
    [[nodiscard]] QStringList queryWords() const;

    vm::HelpIndex index_;
    QLineEdit* query_;
    QListWidget* found_;
    HelpPageView* text_;
    QPushButton* back_;
    QString page_;
    QStringList visited_; ///< previous places
    QString place_;
};

} // namespace pollard::app
