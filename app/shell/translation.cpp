#include "shell/translation.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace pollard::app {
namespace {

constexpr auto kFolder = ":/pollard/i18n";
constexpr auto kEnglish = "en";

/// The language of a locale: "fr" of "fr-CA".
QString languageOf(const QString& locale) { return locale.section(u'-', 0, 0).section(u'_', 0, 0); }

QString chosenLanguage(const QString& code) {
    const QStringList known = translatedLanguages();
    const QStringList wanted = code.isEmpty() ? QLocale::system().uiLanguages() : QStringList{code};
    for (const QString& each : wanted) {
        QString language = languageOf(each);
        if (language == QLatin1String(kEnglish) || known.contains(language)) {
            return language;
        }
    }
    return QLatin1String(kEnglish);
}

/// A translator owned by the application, reused by later calls.
QTranslator& translator(const char* name) {
    auto* found = QCoreApplication::instance()->findChild<QTranslator*>(QLatin1String(name));
    if (found == nullptr) {
        found = new QTranslator(QCoreApplication::instance());
        found->setObjectName(QLatin1String(name));
    }
    return *found;
}

void load(const char* name, const QString& file, const QString& folder) {
    QTranslator& each = translator(name);
    QCoreApplication::removeTranslator(&each);
    if (!file.isEmpty() && each.load(file, folder)) {
        QCoreApplication::installTranslator(&each);
    }
}

} // namespace

QStringList translatedLanguages() {
    QStringList codes;
    for (const QString& file : QDir(QLatin1String(kFolder)).entryList({QStringLiteral("pollard_*.qm")})) {
        codes << file.section(u'_', 1).section(u'.', 0, 0);
    }
    return codes;
}

QString installLanguage(const QString& code) {
    QString language = chosenLanguage(code);
    const bool english = language == QLatin1String(kEnglish);
    load("ownTranslator", english ? QString() : QStringLiteral("pollard_") + language, QLatin1String(kFolder));
    load("qtTranslator", english ? QString() : QStringLiteral("qtbase_") + language,
         QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    if (code.isEmpty()) {
        QLocale::setDefault(QLocale::system());
    } else if (languageOf(QLocale::system().name()) != language) { // else keeps the country of the system
        QLocale::setDefault(QLocale(language));
    }
    return language;
}

} // namespace pollard::app
