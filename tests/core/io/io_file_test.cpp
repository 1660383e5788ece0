#include "core/io/io_support.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pollard::test {

namespace {

TEST(ImageFile, RefusesWhatIsNotAReadableFile) {
    const TempDir dir;
    EXPECT_EQ(readFailure(dir / "missing.tif"), ErrorCode::fileNotFound);
    EXPECT_EQ(readFailure(dir / "missing" / "deeper.tif"), ErrorCode::fileNotFound);
    EXPECT_EQ(readFailure(dir.path()), ErrorCode::fileUnreadable);
    writeBytes(dir / "empty.tif", "");
    EXPECT_EQ(readFailure(dir / "empty.tif"), ErrorCode::fileUnreadable);
    ASSERT_EQ(::mkfifo((dir / "pipe.tif").c_str(), 0600), 0);
    EXPECT_EQ(readFailure(dir / "pipe.tif"), ErrorCode::fileUnreadable);
}

TEST(ImageFile, RefusesAFileWithoutPermission) {
    if (::geteuid() == 0) {
        GTEST_SKIP() << "the superuser may read everything";
    }
    const TempDir dir;
    writeBytes(dir / "secret.tif", "II*");
    std::filesystem::permissions(dir / "secret.tif", std::filesystem::perms::none);
    std::string message;
    EXPECT_EQ(readFailure(dir / "secret.tif", {}, &message), ErrorCode::fileUnreadable);
    EXPECT_NE(message.find("ermission"), std::string::npos) << message;
}

TEST(ImageFile, RefusesOtherContentWhateverItIsCalled) {
    const TempDir dir;
    for (const char* name : {"text.tif", "text.png", "text.jpg", "text.pgm", "text"}) {
        writeBytes(dir / name, "This is a letter, not an image.\n");
        EXPECT_EQ(readFailure(dir / name), ErrorCode::formatUnknown) << name;
    }
    for (const std::string head : {"I", "II", "II*", "P", "P5", "\xff\xd8", "\x89PNG"}) {
        writeBytes(dir / "short", head);
        EXPECT_EQ(readFailure(dir / "short"), ErrorCode::formatUnknown) << head;
    }
}

TEST(ImageFile, GoesByContentAndNotByName) {
    const TempDir dir;
    writeBytes(dir / "picture.tif", "P5 2 1 255\n\x01\x02");
    const LoadedImage loaded = readImage(dir / "picture.tif");
    EXPECT_EQ(loaded.info.format, "PGM");
    EXPECT_EQ(loaded.image->level(1), 2);
}

TEST(ImageFile, MessagesStayOnOneLineForAnyName) {
    const TempDir dir;
    try {
        (void)readImage(dir / "a\nb\t.tif");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find_first_of("\n\t"), std::string::npos) << error.what();
    }
}

TEST(ImageFile, StopsBeforeItStarts) {
    const TempDir dir;
    writeBytes(dir / "p.pgm", "P5 1 1 255\nx");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)readImage(dir / "p.pgm", {}, JobControl(stop.get_token())), Cancelled);
}

TEST(ImageFile, ListsTheFormatsOfTheOpenDialog) {
    std::vector<std::string> names;
    for (const FormatFilter& filter : readableFormats()) {
        names.push_back(filter.name);
        EXPECT_FALSE(filter.extensions.empty());
    }
    // FITS and slides are build options.
    ASSERT_GE(names.size(), 11U);
    names.resize(11);
    EXPECT_THAT(names, ::testing::ElementsAre("TIFF", "PNG", "JPEG", "JPEG 2000", "WebP", "PNM", "PFM", "NIfTI", "NRRD",
                                              "MetaImage", "NumPy"));
}

TEST(ChannelChoice, ParsesNamesAndNumbers) {
    using Kind = ChannelChoice::Kind;
    EXPECT_EQ(ChannelChoice::parse("luminance"), ChannelChoice{});
    EXPECT_EQ(ChannelChoice::parse("red"), (ChannelChoice{Kind::sample, 0, "red"}));
    EXPECT_EQ(ChannelChoice::parse("green"), (ChannelChoice{Kind::sample, 1, "green"}));
    EXPECT_EQ(ChannelChoice::parse("blue"), (ChannelChoice{Kind::sample, 2, "blue"}));
    EXPECT_EQ(ChannelChoice::parse("12"), (ChannelChoice{Kind::sample, 12}));
    EXPECT_EQ(ChannelChoice::parse("DAPI"), (ChannelChoice{Kind::named, 0, "DAPI"}));
    for (const char* text : {"luminance", "green", "12", "DAPI"}) {
        EXPECT_EQ(ChannelChoice::parse(text).text(), text);
    }
    for (const char* bad : {"", "-1", "1x", " 1", "1.5", "99999999999", "(DAPI)"}) {
        try {
            (void)ChannelChoice::parse(bad);
            ADD_FAILURE() << bad;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        }
    }
}

} // namespace

} // namespace pollard::test
