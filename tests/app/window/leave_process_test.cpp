// Real processes with modified work that are closed, ended and replaced as by a user or a desktop: the work is kept,
// and the next process continues it.
#include "app/test_window.hpp"

#include "vm/session/stored_sessions.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <QDir>
#include <QDrag>
#include <QFile>
#include <QMimeData>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <QUrl>

#include <csignal>
#include <optional>

#ifdef POLLARD_TEST_XCB
#include <cstdlib>
#include <xcb/xcb.h>
#endif

namespace pollard::app {
namespace {

#ifdef POLLARD_BINARY

/// The output of a command; empty if it fails.
QString outputOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(kPatience) && process.exitCode() == 0
               ? QString::fromUtf8(process.readAllStandardOutput()).trimmed()
               : QString();
}
QString xdotool(const QStringList& arguments) { return outputOf(QStringLiteral("xdotool"), arguments); }
/// Presses keys in sequence in a window.
void press(const QString& window, const QStringList& keys) {
    xdotool(QStringList{QStringLiteral("windowfocus"), QStringLiteral("--sync"), window, QStringLiteral("key")} + keys);
}

/// A drag source in the corner of the screen, above all windows.
class DragSpot : public QWidget {
public:
    explicit DragSpot(QString path)
        : QWidget(nullptr, Qt::X11BypassWindowManagerHint | Qt::FramelessWindowHint), path_(std::move(path)) {
        setGeometry(0, 0, kSide, kSide);
        show();
        raise();
        EXPECT_TRUE(appears(*this));
    }
    /// Drags the file with the pointer and drops it in the middle of a window when that accepts it.
    [[nodiscard]] bool dropOn(const QString& window) {
        window_ = window;
        const QString spot = QString::number(kSide / 2);
        xdotool({QStringLiteral("mousemove"), spot, spot, QStringLiteral("mousedown"), QStringLiteral("1")});
        return QTest::qWaitFor([this] { return isOver_; }, kPatience) && isDropped_;
    }

protected:
    void mousePressEvent(QMouseEvent*) override {
        auto* file = new QMimeData;
        file->setUrls({QUrl::fromLocalFile(path_)});
        auto* drag = new QDrag(this);
        drag->setMimeData(file);
        QTimer pointer; // keeps moving: each movement sends a new drag event to the window
        int left = kPatience / kInterval;
        connect(&pointer, &QTimer::timeout, this, [this, &left] {
            if (--left == 0) {
                xdotool(
                    {QStringLiteral("key"), QStringLiteral("Escape"), QStringLiteral("mouseup"), QStringLiteral("1")});
            } else if (left > 0) {
                xdotool({QStringLiteral("mousemove"), QStringLiteral("--window"), window_,
                         QString::number(kMiddle + left % 2), QString::number(kMiddle)});
            }
        });
        connect(drag, &QDrag::actionChanged, &pointer, [&pointer](Qt::DropAction action) {
            if (action == Qt::CopyAction) {
                pointer.stop();
                xdotool({QStringLiteral("mouseup"), QStringLiteral("1")});
            }
        });
        pointer.start(kInterval);
        isDropped_ = drag->exec(Qt::CopyAction) == Qt::CopyAction;
        isOver_ = true;
    }

private:
    static constexpr int kSide = 20;      ///< px
    static constexpr int kMiddle = 400;   ///< px, over the image
    static constexpr int kInterval = 100; ///< ms

    QString path_;
    QString window_;
    bool isOver_ = false;
    bool isDropped_ = false;
};

/// A process with folders of its own.
class Program {
public:
    Program(const QString& folder, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
            environment.insert(QLatin1String(variable), folder);
        }
        process_.setProcessEnvironment(environment);
        process_.start(QStringLiteral(POLLARD_BINARY), arguments);
        EXPECT_TRUE(process_.waitForStarted(kPatience));
        autosave_ = folder + QStringLiteral("/pollard/autosave");
    }
    ~Program() {
        if (process_.state() != QProcess::NotRunning) {
            process_.kill();
            process_.waitForFinished(kPatience);
        }
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    Program(Program&&) = delete;
    Program& operator=(Program&&) = delete;

    /// Its autosaved session.
    [[nodiscard]] std::optional<SavedSession> session() const {
        const QString pattern = QStringLiteral("%1-*.pollard").arg(process_.processId());
        const QStringList names = QDir(autosave_).entryList({pattern}, QDir::Files);
        try {
            return names.isEmpty() ? std::nullopt
                                   : std::optional(loadSession(QDir(autosave_).filePath(names.front()).toStdString()));
        } catch (const Error&) {
            return std::nullopt;
        }
    }
    /// Waits until the process works on an image with the given number of contours.
    [[nodiscard]] bool worksOn(const char* name, std::size_t contours) const {
        return QTest::qWaitFor(
            [&] {
                const auto there = session();
                return there && QString::fromStdString(there->image.absolute).endsWith(QLatin1String(name)) &&
                       there->contours.runs.size() == contours;
            },
            kPatience);
    }
    /// Its visible windows: below the root, or in the frame of a window manager.
    [[nodiscard]] QStringList windows() const {
        return xdotool({QStringLiteral("search"), QStringLiteral("--onlyvisible"), QStringLiteral("--maxdepth"),
                        QStringLiteral("2"), QStringLiteral("--all"), QStringLiteral("--pid"),
                        QString::number(process_.processId()), QStringLiteral("--name"), QStringLiteral(".+")})
            .split(u'\n', Qt::SkipEmptyParts);
    }
    [[nodiscard]] QString window() {
        if (main_.isEmpty()) {
            EXPECT_TRUE(QTest::qWaitFor([&] { return windows().size() == 1; }, kPatience));
            main_ = windows().value(0);
        }
        return main_;
    }
    /// The identifier of its dialog, after waiting for it.
    [[nodiscard]] QString dialog() {
        const QString main = window();
        QString found;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                QStringList all = windows();
                all.removeAll(main);
                found = all.value(0);
                return !found.isEmpty();
            },
            kPatience));
        return found;
    }
    [[nodiscard]] bool hasDialog() {
        QStringList all = windows();
        all.removeAll(window());
        return !all.isEmpty();
    }
    [[nodiscard]] bool hasEnded() {
        return QTest::qWaitFor([&] { return process_.state() == QProcess::NotRunning; }, kPatience);
    }
    [[nodiscard]] QProcess& process() noexcept { return process_; }
    [[nodiscard]] pid_t id() const { return static_cast<pid_t>(process_.processId()); }

private:
    QProcess process_;
    QString autosave_;
    QString main_;
};

class LeaveProcess : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QString image;
    QString other;

    void SetUp() override {
        image = writeImage("a.tif", 1);
        other = writeImage("b.tif", 2);
        ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("Pollard")));
        QSettings store = settings();
        store.setValue(QStringLiteral("tour/seen"), true);
        store.setValue(QStringLiteral("language"), QStringLiteral("en"));
        store.setValue(QStringLiteral("lastDirectory"), folder.path());
    }
    [[nodiscard]] QSettings settings() const {
        return {folder.filePath(QStringLiteral("Pollard/pollard.conf")), QSettings::IniFormat};
    }
    [[nodiscard]] QString writeImage(const char* name, int seed) const {
        const auto image = makeImage(PixelType::u8, 96, 80, [seed](std::uint32_t x, std::uint32_t y) {
            return static_cast<int>((x / 12 + y / 10) % 2 * 120 + (x * 7 * seed + y * 13) % 40);
        });
        const QString path = folder.filePath(QLatin1String(name));
        writeTiff(path.toStdString(), *image);
        return path;
    }
    [[nodiscard]] static bool hasXdotool() {
        return !QStandardPaths::findExecutable(QStringLiteral("xdotool")).isEmpty() &&
               QGuiApplication::platformName() == QStringLiteral("xcb");
    }
    /// A process with an unsaved contour.
    [[nodiscard]] std::unique_ptr<Program> begin() const {
        auto program = std::make_unique<Program>(
            folder.path(), QStringList{image, QStringLiteral("--contour"), QStringLiteral("20,20,30,30")});
        EXPECT_TRUE(program->worksOn("a.tif", 1)) << program->process().readAllStandardError().constData();
        return program;
    }
    [[nodiscard]] QStringList kept() const {
        return QDir(folder.filePath(QStringLiteral("pollard/autosave")))
            .entryList({QStringLiteral("kept-*.pollard")}, QDir::Files);
    }
    /// Starts the next process without an image and expects it to continue the contour.
    void expectTheNextGoesOn() const {
        ASSERT_EQ(kept().size(), 1);
        Program next(folder.path(), {});
        const QString window = next.window();
        // The File menu gets an entry when the work is found.
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                press(window, {QStringLiteral("Escape"), QStringLiteral("Escape"), QStringLiteral("Escape"),
                               QStringLiteral("alt+f"), QStringLiteral("k"), QStringLiteral("1")});
                return next.session().has_value();
            },
            kPatience));
        EXPECT_TRUE(next.worksOn("a.tif", 1));
        EXPECT_EQ(kept().size(), 1) << "until the work is saved, discarded or kept anew";
        EXPECT_EQ(::kill(next.id(), SIGTERM), 0);
        EXPECT_TRUE(next.hasEnded());
        EXPECT_EQ(kept().size(), 1) << "the newer replaces the older";
    }
    /// Accepts the question with Return.
    static void keep(Program& program) {
        const QString dialog = program.dialog();
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                press(dialog, {QStringLiteral("Return")});
                return program.process().state() == QProcess::NotRunning || !program.hasDialog();
            },
            kPatience));
    }
    void expectQuestionAndEnd(Program& program) const {
        keep(program);
        ASSERT_TRUE(program.hasEnded());
        EXPECT_EQ(program.process().exitStatus(), QProcess::NormalExit);
        EXPECT_EQ(program.process().exitCode(), 0);
        expectTheNextGoesOn();
    }
    void expectQuestionAndOther(Program& program) const {
        keep(program);
        EXPECT_TRUE(program.worksOn("b.tif", 0));
        ASSERT_EQ(kept().size(), 1);
        program.process().terminate();
        ASSERT_TRUE(program.hasEnded());
        expectTheNextGoesOn();
    }
};

#define POLLARD_NEEDS_XDOTOOL                                                                                          \
    if (!hasXdotool()) {                                                                                               \
        GTEST_SKIP() << "needs xdotool and an X server";                                                               \
    }

TEST_F(LeaveProcess, KeepsAtCtrlQ) {
    POLLARD_NEEDS_XDOTOOL
    const auto program = begin();
    press(program->window(), {QStringLiteral("ctrl+q")});
    expectQuestionAndEnd(*program);
}

#ifdef POLLARD_TEST_XCB
/// Sends the message of a window manager for the close button.
void sendDeleteWindow(const QString& window) {
    xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
    const auto atomOf = [connection](const char* name) {
        xcb_intern_atom_reply_t* reply = xcb_intern_atom_reply(
            connection, xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(std::strlen(name)), name), nullptr);
        const xcb_atom_t atom = reply != nullptr ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
        std::free(reply);
        return atom;
    };
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = window.toUInt();
    event.type = atomOf("WM_PROTOCOLS");
    event.data.data32[0] = atomOf("WM_DELETE_WINDOW");
    xcb_send_event(connection, 0, event.window, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&event));
    xcb_flush(connection);
    static_cast<void>(atomOf("WM_STATE")); // waits for the server by a round trip
    xcb_disconnect(connection);
}

TEST_F(LeaveProcess, KeepsWhenTheWindowIsClosed) {
    POLLARD_NEEDS_XDOTOOL
    const auto program = begin();
    sendDeleteWindow(program->window());
    expectQuestionAndEnd(*program);
}
#endif

TEST_F(LeaveProcess, KeepsAtSignalsWithoutAQuestion) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        SCOPED_TRACE(signal);
        const auto program = begin();
        ASSERT_EQ(::kill(program->id(), signal), 0);
        ASSERT_TRUE(program->hasEnded());
        EXPECT_EQ(program->process().exitStatus(), QProcess::NormalExit);
        EXPECT_EQ(program->process().exitCode(), 128 + signal);
        EXPECT_EQ(kept().size(), 1);
    }
    if (hasXdotool()) {
        expectTheNextGoesOn();
    }
}

TEST_F(LeaveProcess, KeepsNothingWhereNothingWasDone) {
    Program program(folder.path(), {image});
    ASSERT_TRUE(program.worksOn("a.tif", 0));
    ASSERT_EQ(::kill(program.id(), SIGTERM), 0);
    ASSERT_TRUE(program.hasEnded());
    EXPECT_EQ(program.process().exitCode(), 128 + SIGTERM);
    EXPECT_TRUE(kept().isEmpty());
}

TEST_F(LeaveProcess, IsRecoveredAfterSigkill) {
    {
        const auto program = begin();
        program->process().kill();
        ASSERT_TRUE(program->hasEnded());
    }
    TestWindow test;
    vm::SessionAutosave autosave(test.models.sessions, folder.filePath(QStringLiteral("pollard/autosave")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !autosave.isLooking(); }, kPatience));
    ASSERT_EQ(autosave.found().size(), 1);
    autosave.recover(autosave.found().front().path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.contours.runs().all().size() == 1; }, kPatience));
    EXPECT_TRUE(test.models.sessions.isModified());
}

TEST_F(LeaveProcess, KeepsBeforeAnotherFileOfTheDialog) {
    POLLARD_NEEDS_XDOTOOL
    const auto program = begin();
    press(program->window(), {QStringLiteral("ctrl+o")});
    const QString dialog = program->dialog();
    xdotool({QStringLiteral("windowfocus"), QStringLiteral("--sync"), dialog, QStringLiteral("type"),
             QStringLiteral("--delay"), QStringLiteral("1"), other});
    xdotool({QStringLiteral("key"), QStringLiteral("Return")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !program->windows().contains(dialog); }, kPatience));
    expectQuestionAndOther(*program);
}

TEST_F(LeaveProcess, KeepsBeforeAnotherFileOfTheRecentList) {
    POLLARD_NEEDS_XDOTOOL
    settings().setValue(QStringLiteral("recentFiles"), QStringList{other});
    const auto program = begin(); // its own image is first in the list
    press(program->window(), {QStringLiteral("alt+f"), QStringLiteral("r"), QStringLiteral("2")});
    expectQuestionAndOther(*program);
}

TEST_F(LeaveProcess, KeepsBeforeAnotherFileThatIsDropped) {
    POLLARD_NEEDS_XDOTOOL
    const auto program = begin();
    const QString window = program->window();
    {
        DragSpot spot(other);
        ASSERT_TRUE(spot.dropOn(window));
        ASSERT_TRUE(QTest::qWaitFor([&] { return program->hasDialog(); }, kPatience));
    }
    expectQuestionAndOther(*program);
}

TEST_F(LeaveProcess, IsOfferedBesideAnotherImageOfTheCommandLine) {
    {
        const auto program = begin();
        ASSERT_EQ(::kill(program->id(), SIGTERM), 0);
        ASSERT_TRUE(program->hasEnded());
    }
    Program next(folder.path(), {other});
    ASSERT_TRUE(next.worksOn("b.tif", 0));
    EXPECT_EQ(kept().size(), 1);
    ASSERT_EQ(::kill(next.id(), SIGTERM), 0);
    ASSERT_TRUE(next.hasEnded());
    EXPECT_EQ(kept().size(), 1) << "it still waits";
    if (hasXdotool()) {
        expectTheNextGoesOn();
    }
}

TEST_F(LeaveProcess, NeitherAsksNorKeepsWithoutAWindowToAnswerIn) {
    Program program(folder.path(), {image, QStringLiteral("--contour"), QStringLiteral("20,20,30,30"),
                                    QStringLiteral("--screenshot"), folder.filePath(QStringLiteral("shot.png"))});
    ASSERT_TRUE(program.hasEnded());
    EXPECT_EQ(program.process().exitCode(), 0) << program.process().readAllStandardError().constData();
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("shot.png"))));
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("pollard/autosave"))));
}

#endif

} // namespace
} // namespace pollard::app
