#pragma once

#include "open_request.hpp"
#include "window_recipe.hpp"

#include "recipe/recipe.hpp"

#include <QAbstractListModel>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class EditHistory;
class FilterViewModel;
class RegionViewModel;

/// What the window does with a picture, as the steps of a recipe: how it is read, which pixels take part, which tree is
/// built, how it is filtered. They are those of the models; a change here is a change there, and can be undone there.
/// Regions and the filter can be switched off; a step that is off is not part of the recipe.
class RecipeViewModel : public QAbstractListModel {
    Q_OBJECT
    Q_PROPERTY(QString name READ name WRITE setName NOTIFY changed)

public:
    /// Beside the text (Qt::DisplayRole), whether it is on (Qt::CheckStateRole) and the tooltip.
    enum Role {
        textRole = Qt::UserRole + 1, ///< the step as it stands in a recipe: id, version, parameters
    };

    /// All must outlive it.
    struct Subjects {
        DocumentViewModel& document;
        FilterViewModel& filter;
        RegionViewModel& region;
        EditHistory& history;
    };
    explicit RecipeViewModel(const Subjects& subjects, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Takes the check state.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// One line; that of the picture unless a person chose one.
    [[nodiscard]] QString name() const;
    /// There is a picture.
    [[nodiscard]] bool isAvailable() const;
    /// The steps that are on. Run on the file it gives the result that is shown, pixel for pixel.
    [[nodiscard]] Recipe recipe() const;
    /// The same without a window, for a POSIX shell; empty without a picture.
    [[nodiscard]] QString commandLine() const;
    [[nodiscard]] bool canRemove(int row) const;
    /// What is wrong with a recipe, without the kind of file that it is about.
    [[nodiscard]] static QString reasonOf(const std::string& message);

public slots:
    void setName(const QString& name);
    /// Takes a step with other parameters, of the same kind.
    /// @return why not, one line for a person; empty if it was done
    QString edit(int row, const QString& text);
    void remove(int row);
    /// Takes over a recipe for the open picture, or the next one.
    /// @param path of its file, for the text
    /// @return why not, one line for a person; empty if it was done, or is as soon as the picture was read so
    QString takeOver(const pollard::Recipe& recipe, const QString& path);

signals:
    void changed(); ///< steps or name

private:
    struct Step {
        RecipeStep step;
        bool on = true;
        bool operator==(const Step&) const = default;
    };
    [[nodiscard]] std::vector<Step> present() const;
    [[nodiscard]] static QString titleOf(const RecipeStep& step);
    [[nodiscard]] static bool isRow(const std::vector<Step>& steps, int row) noexcept;
    void refresh();
    void onDocument();
    void setOn(int row, bool on);
    void take(const RecipeStep& step);
    void apply(const WindowRecipe& recipe);

    Subjects subjects_;
    QString name_;                        ///< empty: that of the picture
    RegionStep off_;                      ///< region that is switched off
    QString offPath_;                     ///< of the picture that it is of
    std::vector<Step> steps_;             ///< as views know them
    std::optional<WindowRecipe> pending_; ///< as soon as the picture was read so
    OpenRequest awaited_;
};

} // namespace pollard::vm
