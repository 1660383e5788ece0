#pragma once

#include "vm/settings/help_index.hpp"

#include <QDialog>
#include <QTextBrowser>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace pollard::app {

/// A page of the documentation: Markdown from the resources, pictures no wider than the page.
class HelpPageView : public QTextBrowser {
    Q_OBJECT

public:
    explicit HelpPageView(QWidget* parent = nullptr);

    /// Brings a heading to the top, by its anchor. @return whether there is one
    bool showHeading(const QString& anchor);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

/// The documentation with a search over all of it. Needs no network.
class HelpBrowser : public QDialog {
    Q_OBJECT

public:
    explicit HelpBrowser(QWidget* parent = nullptr);

    /// @param place "inspect" or "inspect#2-see-all-of-it-the-tree"
    void showPage(const QString& place);
    [[nodiscard]] QString page() const { return page_; }

signals:
    /// A click on the name of a sample picture: its file, without a folder.
    void sampleChosen(const QString& file);

private:
    void follow(const QUrl& link);
    void showFound();
    void go(const QString& place);
    void showHistory();

    vm::HelpIndex index_;
    QLineEdit* query_;
    QListWidget* found_;
    HelpPageView* text_;
    QPushButton* back_;
    QString page_;
    QStringList visited_; ///< places before this one
    QString place_;
};

} // namespace pollard::app
