#pragma once

#include "vm/picture/open_request.hpp"
#include "vm/session/stage_rows.hpp"
#include "vm/session/window_recipe.hpp"

#include "recipe/recipe.hpp"

#include <QAbstractListModel>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class ResultSteps;

/// What the window does with a picture, as the steps of a recipe: how it is read, which pixels take part, which tree is
/// built, how it is filtered, for the filters that came before and for the one at hand; then objects and contours. They
/// are those of the models; a change here is a change there, and can be undone there. Regions, filters, objects and
/// contours can be switched off; a step that is off is not part of the recipe.
class RecipeViewModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Beside the text (Qt::DisplayRole), whether it is on (Qt::CheckStateRole) and the tooltip.
    enum Role {
        textRole = Qt::UserRole + 1, ///< the step as it stands in a recipe: id, version, parameters
        stageRole, ///< number of the filter that the step belongs to, from 0; -1 of reading and results
    };

    explicit RecipeViewModel(const FilterModels& subjects, QObject* parent = nullptr);

    /// A step in words.
    [[nodiscard]] static QString titleOf(const RecipeStep& step);

    /// Objects and contours are steps, too, below the others. @param results must outlive it
    void addResults(ResultSteps& results);

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
    /// Whether a filter can change places, with its tree and its region, with the one above (-1) or below (1).
    [[nodiscard]] bool canMove(int row, int by) const;
    /// The row of a filter by its number from 0; -1 if there is none.
    [[nodiscard]] int filterRow(int stage) const;

public slots:
    void setName(const QString& name);
    /// Takes a step with other parameters, of the same kind.
    /// @return why not, one line for a person; empty if it was done
    QString edit(int row, const QString& text);
    void remove(int row);
    /// @return why not, one line for a person; empty if it was done
    QString move(int row, int by);
    /// Takes over a recipe for the open picture, or the next one.
    /// @param path of its file, for the text
    /// @return why not, one line for a person; empty if it was done, or is as soon as the picture was read so
    QString takeOver(const pollard::Recipe& recipe, const QString& path);

signals:
    void changed(); ///< steps or name
    /// What takeOver() left for the picture that was to be read was not done. @param why one line for a person
    void failed(const QString& why);

private:
    using Step = StageRow; ///< reading and results, too
    [[nodiscard]] std::vector<Step> present() const;
    /// Whether the panel of objects or contours has it, and this only takes part in the list.
    [[nodiscard]] bool isResult(int row) const;
    /// How the picture is read, without its pixel size: other pictures bring their own.
    [[nodiscard]] ReadStep reading() const;
    /// The open file read so; it keeps the pixel size that was set where the step states none.
    [[nodiscard]] OpenRequest requestFor(const ReadStep& step) const;
    [[nodiscard]] FilterStages stages() const;
    [[nodiscard]] static bool isRow(const std::vector<Step>& steps, int row) noexcept;
    /// Whether it is the filter at hand.
    [[nodiscard]] bool isLastFilter(const Step& step) const;
    void refresh();
    void onDocument();
    void setOn(int row, bool on);
    /// @param text of the entry of undo; empty: what changed
    void take(const FilterStages& stages, const QString& text);

    FilterModels subjects_;
    ResultSteps* results_ = nullptr;
    QString name_;                        ///< empty: that of the picture
    RegionStep off_;                      ///< region that is switched off
    QString offPath_;                     ///< of the picture that it is of
    std::vector<Step> steps_;             ///< as views know them
    bool taking_ = false;                 ///< several changes that views shall see as one
    std::optional<WindowRecipe> pending_; ///< as soon as the picture was read so
    Recipe pendingResults_;               ///< the same
    OpenRequest awaited_;
};

} // namespace pollard::vm
